package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a ticket server must not do after a restart. MySQL keeps over it which id was written last, not how far a
 * session's increment took the counter.
 */
public abstract class TicketRestartContract {

    private static final String SCHEMA = "restarts";

    /** A ticket server. */
    protected abstract DatabaseServer server();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBlockIsNotGivenAgainAfterARestartToClientsWithSmallerBlocks(boolean killed) throws Exception {
        DatabaseServer server = server();
        long[] block = take(server, 1_000);
        if (killed) {
            server.kill9();
        }
        server.restart();

        assertThat(plainTicket(server)).isGreaterThan(block[999]);
        assertThat(LongStream.of(take(server, 10)).min().getAsLong()).isGreaterThan(block[999]);
    }

    /** One block of that size, with all its ids. */
    private static long[] take(DatabaseServer server, int size) {
        try (DistributedIds ids = DistributedIds.create(PatientSettings.of(Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                server.jdbcUrl(SCHEMA),
                "distributedid.create_tables",
                "true",
                "distributedid.block.max_age",
                "off",
                "distributedid.block.min",
                Integer.toString(size),
                "distributedid.block.max",
                Integer.toString(size))))) {
            return LongStream.generate(() -> ids.next("photos")).limit(size).toArray();
        }
    }

    /** As a client in another language takes one. */
    private static long plainTicket(DatabaseServer server) throws SQLException {
        try (Connection connection = server.connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute("REPLACE INTO Tickets64 (stub) VALUES ('a')");
            try (ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
