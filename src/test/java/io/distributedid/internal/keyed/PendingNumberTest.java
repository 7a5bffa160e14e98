package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pending;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that wait without a thread. */
@Timeout(300)
class PendingNumberTest {

    private static final String URL = "jdbc:h2:mem:pending_number;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=100000";

    private DistributedIds ids;

    private KeyedNumbers messages;

    private Connection database;

    @BeforeEach
    void start() throws SQLException {
        ids = DistributedIds.create(Map.of(
                "distributedid.keyed.row.server",
                URL,
                "distributedid.create_tables",
                true,
                "distributedid.timeout",
                "1m",
                "distributedid.block.timeout",
                "2m"));
        messages = (KeyedNumbers) ids.keyed("messages");
        messages.next(1);
        database = DriverManager.getConnection(URL);
        database.setAutoCommit(false);
    }

    @AfterEach
    void stop() throws SQLException {
        database.close();
        ids.close();
        H2Servers.drop("pending_number");
    }

    private void hold() throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute("UPDATE keyed_sequence SET number = number WHERE key_text = '1'");
        }
    }

    private static long last(Pending<Long> pending) throws Exception {
        return pending.answer().get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aNumberComesLater() throws Exception {
        assertThat(last(messages.begin("1", 3))).isEqualTo(4);
        assertThat(last(messages.begin("1", 0))).isEqualTo(4);

        hold();
        Pending<Long> pending = messages.begin("1", 1);
        assertThat(pending.answer()).isNotDone();
        database.rollback();
        assertThat(last(pending)).isEqualTo(5);
    }

    @Test
    void theOneWhoWaitsMayEndIt() throws Exception {
        hold();
        Pending<Long> first = messages.begin("1", 1);
        Pending<Long> second = messages.begin("1", 1);
        second.end().run();
        second.end().run();

        assertThatThrownBy(() -> last(second))
                .hasCauseInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("No number within 120000 ms (distributedid.block.timeout): seq=messages key=1. ");
        database.rollback();
        assertThat(last(first)).isEqualTo(2);
        first.end().run();
        assertThat(last(first)).isEqualTo(2);
    }

    /** A copy of this process may have got the same number. */
    @Test
    void numbersOfDroppedConnectionsAreDropped() throws Exception {
        hold();
        Pending<Long> pending = messages.begin("1", 1);
        ids.suspend();
        assertDropped(messages.begin("1", 1));
        database.rollback();

        assertDropped(pending);
        ids.resume();
        assertThat(last(messages.begin("1", 1))).isPositive();
    }

    @Test
    void afterTheCloseThereIsNone() {
        ids.close();

        assertDropped(messages.begin("1", 1));
    }

    private static void assertDropped(Pending<Long> pending) {
        assertThatThrownBy(() -> last(pending))
                .hasRootCauseInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("The source of numbers is suspended or closed, or was in the meantime: ");
    }
}
