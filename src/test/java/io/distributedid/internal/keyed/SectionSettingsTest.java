package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The place of sections, as the settings name it. */
class SectionSettingsTest {

    private static final String STORES = ", allowed: a JDBC URL (jdbc:...), a JNDI name (java:...), a DataSource object"
            + " in the settings map, or zookeeper with distributedid.keyed.section.zookeeper";

    private static DistributedIds open(Map<String, String> section) {
        Map<String, String> settings = new HashMap<>(Map.of("distributedid.keyed.backend", "section"));
        section.forEach((name, value) -> settings.put("distributedid.keyed.section." + name, value));
        return DistributedIds.create(settings);
    }

    private static void assertRefused(Map<String, String> section, String message) {
        try (DistributedIds ids = open(section)) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(message);
        }
    }

    @Test
    void zooKeeperMustBeSetAndHaveAPath() {
        assertRefused(
                Map.of("store", "zookeeper"),
                "A setting is missing: distributedid.keyed.section.zookeeper, allowed: ZooKeeper's servers, host:port"
                        + " separated by commas. They have the sections");
        assertRefused(
                Map.of("store", "zookeeper", "zookeeper", "zk1:2181", "path", "sections/"),
                "A setting has a value that is not allowed: distributedid.keyed.section.path=sections/, allowed: a"
                        + " path as in /distributedid/sections");
    }

    @Test
    void zooKeeperIsNotGuessed() {
        assertRefused(
                Map.of("zookeeper", "zk1:2181"),
                "A setting has a value that is not allowed: distributedid.keyed.section.zookeeper=zk1:2181, allowed:"
                        + " nothing, unless distributedid.keyed.section.store=zookeeper");
        assertRefused(
                Map.of("path", "/sections"),
                "A setting has a value that is not allowed: distributedid.keyed.section.path=/sections, allowed:"
                        + " nothing, unless distributedid.keyed.section.store=zookeeper");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper:zk1:2181", "zk1:2181", "zookeeper, jdbc:h2:mem:sections", "Zookeeper"})
    void otherStoresAreRefused(String store) {
        assertRefused(
                Map.of("store", store, "zookeeper", "zk1:2181"),
                "A setting has a value that is not allowed: distributedid.keyed.section.store=" + store.split(",")[0]
                        + STORES);
    }

    @Test
    void severalDatabasesAreRefused() {
        assertRefused(
                Map.of("store", "jdbc:h2:mem:one, jdbc:h2:mem:two"),
                "A setting has a value that is not allowed: distributedid.keyed.section.store=2 servers, allowed:"
                        + " one, since several would have to agree on who owns a key; use ZooKeeper for that");
    }

    @Test
    void zooKeeperNeedsNoTable() {
        Map<String, String> settings = Map.of(
                "distributedid.keyed.backend", "section",
                "distributedid.keyed.section.store", "zookeeper",
                "distributedid.seq.photos.keyed.section.store", "jdbc:h2:mem:sections",
                "distributedid.seq.photos.keyed.section.table", "photo_section");

        assertThat(DistributedIds.ddl(settings, "h2"))
                .satisfiesExactly(
                        sections -> assertThat(sections)
                                .startsWith("CREATE TABLE IF NOT EXISTS photo_section (name VARCHAR_CASESENSITIVE(50)"),
                        records -> assertThat(records)
                                .startsWith(
                                        "CREATE TABLE IF NOT EXISTS keyed_sequence (name VARCHAR_CASESENSITIVE(50)"));
        assertThat(DistributedIds.ddl(
                        Map.of(
                                "distributedid.keyed.backend",
                                "section",
                                "distributedid.keyed.section.store",
                                "zookeeper"),
                        "mysql"))
                .isEqualTo(List.of());
    }
}
