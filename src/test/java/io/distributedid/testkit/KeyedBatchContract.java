package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.KeyedSequence;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keys that wait at the same time share a transaction, on databases where that is faster. */
public abstract class KeyedBatchContract {

    private static final String LOCKED = "5";

    private static final List<String> KEYS = Stream.concat(
                    IntStream.range(1, 10).mapToObj(Integer::toString),
                    Stream.of("O'Brien", "a\\", "a\"b;--", "\ud83d\ude00", "\u00e4", "A", "a", "?"))
            .toList();

    /** The URL of a database for this test alone, which it creates; with multi-queries if the driver knows such. */
    protected abstract String url(String name) throws SQLException;

    @Test
    void keysThatWaitShareATransactionAndALockedOneDelaysNoOther() throws Exception {
        String url = url("keyed_batch");
        SentStatements server = SentStatements.to(url);
        try (DistributedIds ids = DistributedIds.create(PatientSettings.of(Map.of(
                "distributedid.keyed.row.server",
                server,
                "distributedid.create_tables",
                true,
                "distributedid.keyed.row.connections",
                1)))) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next("first");
            KEYS.forEach(key -> assertThat(messages.next(key)).isEqualTo(1));
            Map<String, FutureTask<long[]>> calls = new LinkedHashMap<>();
            List<Thread> threads = new ArrayList<>();
            int before;
            try (Connection locked = locked(url, LOCKED)) {
                try (Connection first = locked(url, "first")) {
                    int sent = server.sent().size();
                    FutureTask<long[]> blocked = started(threads, messages, "first", 1);
                    Await.until("it waits for the lock", () -> server.sent().size() > sent);
                    for (String key : KEYS) {
                        calls.put(key, started(threads, messages, key, 3));
                    }
                    calls.put("new", started(threads, messages, "new", 3));
                    Await.until(
                            "all wait",
                            () -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
                    before = batches(server);
                    first.rollback();
                    assertThat(result(blocked)).containsExactly(2);
                }
                for (String key : KEYS) {
                    if (!key.equals(LOCKED)) {
                        assertThat(result(calls.get(key))).as(key).containsExactly(2, 3, 4);
                    }
                }
                assertThat(batches(server)).isEqualTo(before + 1);
                assertThat(calls.get(LOCKED)).isNotDone();
                locked.rollback();
            }
            assertThat(result(calls.get(LOCKED))).containsExactly(2, 3, 4);
            assertThat(result(calls.get("new"))).containsExactly(1, 2, 3);
            KEYS.forEach(key -> assertThat(messages.next(key)).as(key).isEqualTo(5));
        }
    }

    private static int batches(SentStatements server) {
        return (int) server.sent().stream()
                .filter(sql -> sql.contains("SKIP LOCKED"))
                .count();
    }

    private static FutureTask<long[]> started(List<Thread> threads, KeyedSequence messages, String key, int count) {
        FutureTask<long[]> task = new FutureTask<>(() -> messages.next(key, count));
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return task;
    }

    private static long[] result(FutureTask<long[]> task) throws Exception {
        return task.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static Connection locked(String url, String key) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE keyed_sequence SET number = number WHERE name = 'messages' AND key_text = ?")) {
            update.setString(1, key);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
        return connection;
    }
}
