package contender;

import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** Starts applications of Spring Boot on the database in memory. */
final class Boot {

    /** Declares beans. */
    interface Beans {

        void in(GenericApplicationContext context);
    }

    /** Only what Spring Boot configures. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private Boot() {}

    static ConfigurableApplicationContext run(Memory memory, Beans beans) {
        Map<String, Object> properties = Memory.settings(memory.url).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        properties.put("spring.main.banner-mode", "off");
        properties.put("spring.sql.init.mode", "never");
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .initializers(context -> beans.in((GenericApplicationContext) context))
                .run();
    }
}
