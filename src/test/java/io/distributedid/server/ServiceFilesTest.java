package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.cli.CommandSettings;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The files that run the service are such as the server accepts. */
class ServiceFilesTest {

    private static final Path FOLDER = Path.of("src/docs/service");

    private static final String COMMAND = "io.distributedid.server.Main";

    private static final String CONFIG = "--config=/etc/distributedid/ids.properties";

    /** Seconds: the defaults of drain and request_timeout, and the end of the event loops. */
    private static final int LONGEST_STOP = 5 + 10 + 10;

    @ParameterizedTest
    @ValueSource(strings = {"ids.properties", "ids-strict.properties"})
    void theConfigurationsHaveSettingsThatExistAndMayBeReachedByOthers(String file) throws IOException {
        Map<String, Object> all = properties(file);
        all.put(Access.hashOf("web").name(), Access.hash(Access.newToken()));
        ServerSettings server = ServerSettings.of(all);

        server.sequences().forEach(name -> {
            try (var ids = new CommandSettings(server.ofIds()).open()) {
                // Names and values of settings are checked before any store is asked.
                assertThat(ids.toString()).isNotNull();
            }
        });
        assertThat(InetAddress.getByName(server.get(ServerSettings.HOST)).isLoopbackAddress())
                .isFalse();
        assertThat(new Access(server, false).hasTokens()).isTrue();
    }

    /** Whoever copies a file must not get a token that everybody knows. */
    @ParameterizedTest
    @ValueSource(strings = {"ids.properties", "ids-strict.properties"})
    void aCopyIsRefusedUntilItHasATokenOfItsOwn(String file) throws IOException {
        ServerSettings server = ServerSettings.of(properties(file));

        assertThatThrownBy(() -> new Access(server, false))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting is missing: distributedid.server.token.web.hash, allowed: SHA-256")
                .hasMessageContaining("--new-token web");
    }

    @Test
    void theUnitStartsTheServerAndWaitsForItsEnd() throws IOException {
        String unit = Files.readString(FOLDER.resolve("distributedid-server.service"));

        assertThat(unit).contains(COMMAND + " " + CONFIG + "\n");
        assertThat(Integer.parseInt(unit.replaceAll("(?s).*TimeoutStopSec=(\\d+).*", "$1")))
                .isGreaterThan(LONGEST_STOP);
    }

    @Test
    void theContainerStartsTheServer() throws IOException {
        assertThat(Files.readString(FOLDER.resolve("Containerfile")))
                .contains("\"" + COMMAND + "\", \"" + CONFIG + "\"]");
    }

    @ParameterizedTest
    @CsvSource({"kubernetes.yaml, ids.properties", "kubernetes-strict.yaml, ids-strict.properties"})
    void theManifestsAskPathsThatExistAtThePortOfTheConfiguration(String file, String configuration)
            throws IOException {
        int port = Integer.parseInt(
                properties(configuration).get(ServerSettings.PORT.name()).toString());
        List<Map<String, Object>> documents = new ArrayList<>();
        new Yaml().loadAll(Files.readString(FOLDER.resolve(file))).forEach(each -> documents.add(map(each)));
        Map<String, Object> spec = map(documents.get(0).get("spec"));
        Map<String, Object> pod = map(map(spec.get("template")).get("spec"));
        Map<String, Object> container = map(list(pod.get("containers")).get(0));

        assertThat(spec.get("replicas")).isEqualTo(2);
        assertThat((int) pod.get("terminationGracePeriodSeconds")).isGreaterThan(LONGEST_STOP);
        assertThat(map(list(container.get("ports")).get(0)).get("containerPort"))
                .isEqualTo(port);
        assertThat(map(list(map(documents.get(1).get("spec")).get("ports")).get(0))
                        .get("port"))
                .isEqualTo(port);
        Map<String, Object> paths = map(new Yaml()
                .<Map<String, Object>>load(Files.readString(
                        Path.of("src/main/resources/io/distributedid/server").resolve("openapi.yaml")))
                .get("paths"));
        for (String probe : List.of("readinessProbe", "livenessProbe")) {
            assertThat(paths).containsKey((String)
                    map(map(container.get(probe)).get("httpGet")).get("path"));
        }
        if (container.containsKey("args")) {
            assertThat(list(container.get("args")).get(0).toString())
                    .startsWith("-Ddistributedid.snowflake.lease.owner=https://")
                    .endsWith(":" + port);
        }
    }

    private static Map<String, Object> properties(String file) throws IOException {
        Properties read = new Properties();
        try (Reader reader = Files.newBufferedReader(FOLDER.resolve(file))) {
            read.load(reader);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        read.forEach((name, value) -> all.put((String) name, value));
        return all;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object node) {
        return (List<Object>) node;
    }
}
