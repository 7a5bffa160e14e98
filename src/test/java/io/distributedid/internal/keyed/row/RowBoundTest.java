package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the numbers of a key do not exceed. */
class RowBoundTest {

    private static final String URL = "jdbc:h2:mem:bound;DB_CLOSE_DELAY=-1";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("bound");
    }

    @Test
    void itIsTheLastNumberOrTheFloor() throws SQLException {
        try (DistributedIds ids = open()) {
            KeyedNumbers messages = (KeyedNumbers) ids.keyed("messages");
            assertThat(bound(messages)).isZero();

            DatabaseRows.execute(
                    URL, "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', ' floor', 7)");
            assertThat(bound(messages)).as("before the first use").isEqualTo(7);

            assertThat(messages.current("1")).isZero();
            assertThat(messages.next("1")).isEqualTo(8);
            assertThat(bound(messages)).isEqualTo(8);
        }
    }

    /** Keys that were deleted would begin at 1 again. */
    @Test
    void withoutItsFloorASequenceHasNoNewKeys() throws SQLException {
        try (DistributedIds ids = open()) {
            assertThat(ids.keyed("messages").next("1")).isEqualTo(1);
            DatabaseRows.execute(URL, "DELETE FROM keyed_sequence WHERE key_text = ' floor'");

            assertThat(ids.keyed("messages").next("1")).isEqualTo(2);
            assertThatThrownBy(() -> ids.keyed("messages").next("2"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A sequence has lost the row that says where new keys begin: seq=messages key=' floor'"
                            + " table=keyed_sequence on jdbc:h2:mem:bound. Insert it with a number that no"
                            + " deleted key has exceeded");
        }
    }

    private static DistributedIds open() {
        return DistributedIds.create(Map.of(
                "distributedid.keyed.row.server",
                URL,
                "distributedid.create_tables",
                true,
                "distributedid.block.timeout",
                "2m"));
    }

    private static long bound(KeyedNumbers messages) {
        return messages.bound("1", Duration.ofMinutes(1));
    }
}
