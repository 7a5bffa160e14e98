package photos;

import io.r2dbc.spi.ConnectionFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.jdbc.repository.config.EnableJdbcAuditing;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;

/** An application with both modules on one database in memory, whose statements are recorded. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableJdbcAuditing
class Application {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** Spring Boot makes none if there is a ConnectionFactory. */
    @Bean
    DataSource database(Environment environment) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + environment.getProperty("test.database") + ";DB_CLOSE_DELAY=-1");
        return Recorded.dataSource(database);
    }

    /** Adds classes to those that Spring Data knows at start, as {@code @Table} and repositories do. */
    private record Known(Set<Class<?>> types) implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof RelationalMappingContext context) {
                types.forEach(context::getPersistentEntity);
            }
            return bean instanceof ConnectionFactory factory ? Recorded.connectionFactory(factory) : bean;
        }
    }

    static ConfigurableApplicationContext run(Set<Class<?>> entities, String... properties) {
        String database = "photos" + DATABASES.incrementAndGet();
        List<String> all = new ArrayList<>(List.of(
                "test.database=" + database,
                "spring.r2dbc.url=r2dbc:h2:mem:///" + database + "?options=DB_CLOSE_DELAY=-1",
                "spring.r2dbc.pool.enabled=false"));
        all.addAll(Arrays.asList(properties));
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .initializers(context -> context.getBeanFactory().addBeanPostProcessor(new Known(entities)))
                .run(all.stream().map(each -> "--" + each).toArray(String[]::new));
    }
}
