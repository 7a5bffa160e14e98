package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdsExhaustedException;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A raise that leaves no ids says so. */
class RaiseLimitTest {

    private static final String ONE = "jdbc:h2:mem:raise_one;DB_CLOSE_DELAY=-1";

    private static final String TWO = "jdbc:h2:mem:raise_two;DB_CLOSE_DELAY=-1";

    @BeforeEach
    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("raise_one", "raise_two");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ONE + "|64|9223372036854775807|9223372036854775806",
                ONE + "," + TWO + "|64|9223372036854775807|9223372036854775805",
                ONE + "|32|4294967295|4294967294",
                ONE + "," + TWO + "|32|4294967294|4294967293",
                ONE + "|32|9223372036854775807|4294967294",
            })
    void ticketsAreNotRaisedToTheEndOfTheirColumn(String servers, String bits, long existing, long allowed) {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                servers,
                "distributedid.ticket.numbering",
                "client",
                "distributedid.ticket.increment",
                String.valueOf(servers.split(",").length),
                "distributedid.ticket.bits",
                bits,
                "distributedid.create_tables",
                "true"))) {
            assertThatThrownBy(() -> ids.admin().raise("photos", existing))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageStartingWith("No ids are left above an existing id: seq=photos existing=" + existing
                            + ", allowed: up to " + allowed + ".");
            assertThat(ids.next("photos")).isLessThan(1000);
        }
    }
}
