package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server ends the wait for a row that another transaction holds: that is no deadlock, and is not repeated. */
public abstract class LockWaitContract {

    /** Of the server; a repeated wait would last many times as long. */
    private static final Duration LOCK_WAIT = Duration.ofSeconds(1);

    private static final Duration FEW_WAITS = LOCK_WAIT.multipliedBy(5);

    /** The URL of an empty database. */
    protected abstract String url(String name) throws SQLException;

    @ParameterizedTest
    @CsvSource({
        "ticket, SELECT id FROM Tickets64 WHERE stub = 'a' FOR UPDATE",
        "sequence_table, SELECT id FROM sequence WHERE name = 'photos' FOR UPDATE"
    })
    void aWaitThatTheServerEndsIsNotRepeatedLikeADeadlock(String backend, String hold) throws Exception {
        String url = url("lock_wait_" + backend);
        String impatient = url + (url.contains("?") ? "&" : "?") + "sessionVariables=innodb_lock_wait_timeout="
                + LOCK_WAIT.toSeconds();
        ExecutorService waiting = Executors.newSingleThreadExecutor();
        GivenIds given = new GivenIds();
        try (DistributedIds ids =
                GivenIds.client(backend, impatient, "block.min", 1, "block.max", 1, "block.timeout", "1m")) {
            given.take(ids, 3);
            Future<?> blocked;
            try (Connection holder = DriverManager.getConnection(url);
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute(hold);
                blocked = waiting.submit(() -> given.take(ids, 5));
                long began = System.nanoTime();
                Await.until("the wait has ended", () -> failures(ids) > 0);
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(FEW_WAITS);
                holder.rollback();
            }
            blocked.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            waiting.shutdownNow();
        }
        given.assertNoneTwice();
    }

    private static long failures(DistributedIds ids) {
        return ids.statistics("photos").orElseThrow().blocks().orElseThrow().failedFetches();
    }
}
