package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the numbers of a key do not exceed, on two servers with floors of their own. */
class RowBoundTest {

    private static final String FIRST_URL = "jdbc:h2:mem:bound_a;DB_CLOSE_DELAY=-1";

    private static final String SECOND_URL = "jdbc:h2:mem:bound_b;DB_CLOSE_DELAY=-1";

    /** By the hash, on the first of two servers. */
    private static final String KEY = "1";

    /** On the second one. */
    private static final String OTHER_KEY = "5";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("bound_a", "bound_b");
    }

    @Test
    void itIsTheLastNumberOrTheFloorOfTheServerOfTheKey() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.keyed.row.servers",
                List.of(FIRST_URL, SECOND_URL),
                "distributedid.create_tables",
                true,
                "distributedid.block.timeout",
                "2m"))) {
            KeyedNumbers messages = (KeyedNumbers) ids.keyed("messages");
            assertThat(bounds(messages)).containsExactly(0, 0);

            for (String url : List.of(FIRST_URL, SECOND_URL)) {
                DatabaseRows.execute(
                        url,
                        "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', ' floor', "
                                + (url.equals(FIRST_URL) ? 7 : 2) + ")");
            }
            assertThat(bounds(messages)).as("before the first use").containsExactly(7, 2);

            assertThat(messages.next(OTHER_KEY)).isEqualTo(3);
            assertThat(bounds(messages)).containsExactly(7, 3);
            assertThat(messages.current(KEY)).isZero();
            assertThat(messages.next(KEY)).isEqualTo(8);
            assertThat(bounds(messages)).containsExactly(8, 3);
        }
    }

    private static long[] bounds(KeyedNumbers messages) {
        return new long[] {messages.bound(KEY, Duration.ofMinutes(1)), messages.bound(OTHER_KEY, Duration.ofMinutes(1))
        };
    }
}
