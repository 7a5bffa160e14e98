package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PlainDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sequence waits for its first use, since one of its servers does not answer. */
class RowBeginningTest {

    private static final String FIRST_URL = "jdbc:h2:mem:beginning_a;DB_CLOSE_DELAY=-1";

    private static final String SECOND_URL = "jdbc:h2:mem:beginning_b;DB_CLOSE_DELAY=-1";

    /** By the hash, on the first of two servers. */
    private static final int KEY = 1;

    /** On the second one. */
    private static final int OTHER_KEY = 5;

    /** Hangs until it is told to go on. */
    private static final class HangingDataSource extends PlainDataSource {

        private final CountDownLatch asked = new CountDownLatch(1);

        private final AtomicInteger calls = new AtomicInteger();

        private final CountDownLatch goesOn = new CountDownLatch(1);

        @Override
        public Connection getConnection() throws SQLException {
            calls.incrementAndGet();
            asked.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new SQLException("Interrupted while it hangs", e);
            }
            return DriverManager.getConnection(SECOND_URL);
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("beginning_a", "beginning_b");
    }

    private static DistributedIds open(Object first, Object second, String timeout) {
        return DistributedIds.create(Map.of(
                "distributedid.keyed.row.servers",
                List.of(first, second),
                "distributedid.keyed.row.connections",
                1,
                "distributedid.timeout",
                timeout,
                "distributedid.block.timeout",
                "10m"));
    }

    private static <T> FutureTask<T> started(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @BeforeEach
    void begin() throws SQLException {
        for (String url : List.of(FIRST_URL, SECOND_URL)) {
            DatabaseRows.execute(url, new H2RowDialect().ddl("keyed_sequence"));
        }
        try (DistributedIds ids = open(FIRST_URL, SECOND_URL, "1m")) {
            for (String sequence : List.of("old", "older")) {
                assertThat(ids.keyed(sequence).next(KEY)).isEqualTo(1);
                assertThat(ids.keyed(sequence).next(OTHER_KEY)).isEqualTo(1);
            }
        }
    }

    /** It would tell whether the others belong to it. */
    @Test
    void aFirstServerThatHangsIsAskedOnceForAllSequences() {
        HangingDataSource first = new HangingDataSource();
        try (DistributedIds ids = open(first, SECOND_URL, "1s")) {
            for (String sequence : List.of("old", "older")) {
                assertThat(ids.keyed(sequence).next(OTHER_KEY)).isGreaterThan(1);
            }
            assertThat(first.calls).hasValue(1);
        } finally {
            first.goesOn.countDown();
        }
    }

    /** But until it has kept a sequence waiting for so long that it counts as down. */
    @Test
    void itDelaysNoSequenceThatHasBegun() throws Exception {
        HangingDataSource second = new HangingDataSource();
        try (DistributedIds ids = open(FIRST_URL, second, "1s")) {
            FutureTask<Long> waits = started(() -> ids.keyed("new").next(KEY));
            assertThat(second.asked.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();

            assertThat(result(started(() -> ids.keyed("old").next(KEY)))).isEqualTo(2);
            assertThat(waits).isNotDone();
            second.goesOn.countDown();
            assertThat(result(waits)).isEqualTo(1);
        } finally {
            second.goesOn.countDown();
        }
    }
}
