package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The page of the service says what the declarations say. */
class ServerSettingsTest {

    @Test
    void thePageHasTheUsage() throws IOException {
        StringWriter out = new StringWriter();
        Main.run(new PrintWriter(out), new PrintWriter(out), Map.of(), server -> {}, "--help");

        String usage = out.toString().substring(0, out.toString().indexOf("Issues ids over HTTP"));
        assertThat(Files.readString(Path.of("src/docs/issuing-service.md"))).contains("```text\n" + usage + "```\n");
    }

    @Test
    void theSettingsOfTheIdsAreSeparate() {
        Map<String, Object> all = Map.of(
                "distributedid.backend", "memory",
                "distributedid.server.port", 9,
                "distributedid.server.sequences", "photos",
                "jakarta.persistence.jdbc.url", "jdbc:h2:mem:x");

        ServerSettings settings = ServerSettings.of(all);

        assertThat(settings.own().asMap())
                .containsOnlyKeys("distributedid.server.port", "distributedid.server.sequences");
        assertThat(settings.ofIds()).containsOnlyKeys("distributedid.backend", "jakarta.persistence.jdbc.url");
    }

    @Test
    void aMisspeltSettingHasTheNearestName() {
        Assertions.assertThatThrownBy(() -> ServerSettings.of(Map.of("distributedid.server.max_blok", 9)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("There is no such setting: distributedid.server.max_blok. Did you mean"
                        + " distributedid.server.max_block?");
    }
}
