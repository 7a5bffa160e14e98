package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.KeyedSequence;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Numbers from memory over a suspend: what the process knows, and what is left of it. */
class SuspendedSectionsTest {

    private static final String URL = "jdbc:h2:mem:suspended_sections;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=100000";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("suspended_sections");
    }

    private static DistributedIds open(Object store, Object... more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "distributedid.keyed.backend", "section",
                "distributedid.keyed.section.store", store,
                "distributedid.keyed.section.create_table", true,
                "distributedid.keyed.section.lease", "1s",
                "distributedid.block.timeout", "45s"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i].toString(), more[i + 1]);
        }
        return DistributedIds.create(settings);
    }

    @Test
    void aStoreThatWasSetBackDuringASuspendIsNoticed() throws SQLException {
        try (DistributedIds ids = open(URL)) {
            KeyedSequence messages = ids.keyed("messages");
            assertThat(messages.next(7)).isEqualTo(1);
            DatabaseRows.execute(URL, "CREATE TABLE backup AS SELECT * FROM keyed_section");
            for (int i = 0; i < 3; i++) {
                messages.next(7, 10_000);
            }
            ids.suspend();
            DatabaseRows.execute(URL, "DELETE FROM keyed_section", "INSERT INTO keyed_section SELECT * FROM backup");
            ids.resume();

            assertThatThrownBy(() -> messages.next(7))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(
                            "The store was set back, and numbers could be given twice: max_number=10000,");
        }
    }

    @Test
    void aStoreThatWasReplacedDuringASuspendIsNoticed() throws SQLException {
        try (DistributedIds ids = open(URL)) {
            KeyedSequence messages = ids.keyed("messages");
            assertThat(messages.next(7)).isEqualTo(1);
            ids.suspend();
            DatabaseRows.execute(URL, "TRUNCATE TABLE keyed_section", "TRUNCATE TABLE keyed_sequence");
            ids.resume();

            assertThatThrownBy(() -> messages.next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The store of a sequence has lost rows: the record is missing");
        }
    }
}
