package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The place of sections, as the settings name it. */
class SectionSettingsTest {

    private static final String STORES =
            ", allowed: a JDBC URL (jdbc:...), a JNDI name (java:...) or a DataSource object" + " in the settings map";

    private static DistributedIds open(Map<String, String> section) {
        Map<String, String> settings = new HashMap<>(Map.of("distributedid.keyed.backend", "section"));
        section.forEach((name, value) -> settings.put("distributedid.keyed.section." + name, value));
        return DistributedIds.builder().settings(settings).asService().build();
    }

    private static void assertRefused(Map<String, String> section, String message) {
        try (DistributedIds ids = open(section)) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(message);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper", "zk1:2181", "zookeeper, jdbc:h2:mem:sections"})
    void otherStoresAreRefused(String store) {
        assertRefused(
                Map.of("store", store),
                "A setting has a value that is not allowed: distributedid.keyed.section.store=" + store.split(",")[0]
                        + STORES);
    }

    @Test
    void severalDatabasesAreRefused() {
        assertRefused(
                Map.of("store", "jdbc:h2:mem:one, jdbc:h2:mem:two"),
                "A setting has a value that is not allowed: distributedid.keyed.section.store=2 servers, allowed:"
                        + " one, since several would have to agree on who owns a key");
    }
}
