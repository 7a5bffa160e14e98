package photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;

/** What the actuator shows of the settings, even if it is told to show all values. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:shown",
            "management.endpoints.web.exposure.include=configprops",
            "management.endpoint.configprops.show-values=always",
            "distributedid.block.max-age=OFF",
            "distributedid.ticket.servers=jdbc:mysql://clerk:top-secret@tickets1/tickets?password=top-secret",
            "distributedid.ticket.user=clerk",
            "distributedid.ticket.password=top-secret"
        })
class ConfigPropertiesTest {

    private static final Map<String, String> SETTINGS = Map.of(
            "backend", "memory",
            "block.max_age", "off",
            "seq.comments.backend", "memory",
            "seq.comments.snowflake.worker", "1",
            "ticket.password", "***",
            "ticket.servers", "jdbc:mysql://tickets1/tickets",
            "ticket.user", "***");

    private static final Map<String, String> DEFAULTS = Map.of(
            "block.max", "100000",
            "block.min", "16",
            "block.timeout", "10s",
            "existing_ids", "refuse",
            "existing_ids_timeout", "2s",
            "memory.start", "1000001",
            "open", "start",
            "shard.count", "what the field holds",
            "shard.pattern", "(\\d+)",
            "unused_sequences", "warn");

    @Autowired
    private Environment environment;

    @Test
    void theSettingsAreShownMasked() throws IOException, InterruptedException {
        String json = configprops();

        Map<?, ?> contexts =
                (Map<?, ?>) JsonParserFactory.getJsonParser().parseMap(json).get("contexts");
        Map<?, ?> context = (Map<?, ?>) contexts.values().iterator().next();
        Map<?, ?> bean = (Map<?, ?>) ((Map<?, ?>) context.get("beans")).get("distributedIdProperties");
        assertThat(bean.get("prefix")).isEqualTo("distributedid");
        assertThat(bean.get("properties")).isEqualTo(Map.of("settings", SETTINGS, "defaults", DEFAULTS));
        assertThat(json).doesNotContain("top-secret", "clerk");
    }

    private String configprops() throws IOException, InterruptedException {
        URI uri = URI.create(
                "http://127.0.0.1:" + environment.getRequiredProperty("local.server.port") + "/actuator/configprops");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
