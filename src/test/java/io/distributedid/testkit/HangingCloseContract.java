package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The end of a process whose servers accept connections, and answer nothing: it comes soon, and leaves no thread and no
 * socket.
 */
public abstract class HangingCloseContract {

    private static final int SEQUENCES = 20;

    /** Few, since a busy disk takes its time for each, and nothing is handed back after 3 s. */
    private static final int HANDED_BACK = 4;

    /** What {@code close()} promises. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final List<Thread> callers = new ArrayList<>();

    private final LeftBehind leftBehind = new LeftBehind();

    private final CountDownLatch hung = new CountDownLatch(1);

    /** By URL; all are made before the servers hang, since no close() ends a driver's call without any timeout. */
    private final Map<String, Connection> connected = new HashMap<>();

    /** Two servers. */
    protected abstract List<String> urls();

    /**
     * For each answer of a server. The tests don't wait as long for the remains: what ends by this, and not by close(),
     * fails them.
     */
    protected String timeout() {
        return "60s";
    }

    /** Of the servers. */
    protected abstract List<Integer> ports();

    /** Those that count on both servers. */
    protected Map<String, String> counting() {
        return sequenceTable();
    }

    /** As {@link #counting}, where what is left of a block is handed back. */
    private Map<String, String> sequenceTable() {
        return Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", String.join(", ", urls()),
                "distributedid.create_tables", "true");
    }

    /** The setting that lists the servers that count. */
    protected String servers() {
        return "distributedid.sequence_table.servers";
    }

    /** Stops the processes of one of the servers. */
    protected abstract void hang(int server);

    /** Lets all go on. */
    protected abstract void goOn();

    @AfterEach
    void letAllGoOn() throws InterruptedException {
        goOn();
        for (Thread caller : callers) {
            caller.join();
        }
    }

    @Test
    void withServersThatHangWhileNothingIsAsked() throws Exception {
        DistributedIds ids = opened("100");
        hangAll();

        closeAndLookForRemains(ids);
    }

    @Test
    void withServersThatHangWhileBlocksAreReserved() throws Exception {
        DistributedIds ids = opened("1");
        hangAll();
        names().forEach(name -> call(ids, name));
        leftBehind.await("distributedid-fetch");

        closeAndLookForRemains(ids);
    }

    @Test
    void withServersThatHangBeforeAnyConnection() throws Exception {
        hangAll();
        DistributedIds ids = DistributedIds.create(settings("2s", "100"));
        names().forEach(name -> call(ids, name));
        leftBehind.await("distributedid-connect");

        closeAndLookForRemains(ids);
    }

    @Test
    void withServersThatHangWhileAConnectionIsLookedAt() throws Exception {
        Map<String, Object> settings = settings(timeout(), "100");
        try (DistributedIds before = DistributedIds.create(settings)) {
            for (String name : names()) {
                before.next(name);
            }
        }
        settings.put(servers(), urls().stream().map(this::hangingOnceConnected).toList());
        DistributedIds ids = DistributedIds.create(settings);
        leased().forEach(ids::next);
        counted().forEach(name -> call(ids, name));
        hung.await();

        abortThoseNotTaken();
        closeAndLookForRemains(ids);
    }

    @Test
    void withOneServerThatHangsCloseEndsAndNoIdComesAgain() throws Exception {
        Map<String, Object> settings = settings(timeout(), "100");
        settings.putAll(sequenceTable());
        settings.put("distributedid.block.min", "100");
        DistributedIds ids = DistributedIds.create(settings);
        Map<String, Long> given = new HashMap<>();
        for (String name : counted().subList(0, HANDED_BACK)) {
            long id = ids.next(name);
            if (id % 2 == 0) {
                given.put(name, id);
            }
        }
        leased().forEach(ids::next);
        hang(0);

        closeAndLookForRemains(ids);
        goOn();
        try (DistributedIds later = DistributedIds.create(settings)) {
            assertThat(given).isNotEmpty();
            given.forEach((name, id) -> assertThat(later.next(name)).as(name).isNotEqualTo(id));
        }
    }

    private DistributedIds opened(String blockMax) {
        DistributedIds ids = DistributedIds.create(settings(timeout(), blockMax));
        names().forEach(ids::next);
        return ids;
    }

    private DataSource hangingOnceConnected(String url) {
        return (DataSource) Proxy.newProxyInstance(
                HangingCloseContract.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) {
                        return method.getName().equals("hashCode") ? url.hashCode() : self == arguments[0];
                    }
                    return connection(url);
                });
    }

    private synchronized Connection connection(String url) throws SQLException {
        if (hung.getCount() > 0) {
            for (String server : urls()) {
                connected.put(server, DriverManager.getConnection(server));
            }
            hangAll();
            hung.countDown();
        }
        Connection connection = connected.remove(url);
        if (connection == null) {
            throw new SQLException("There is one connection a server");
        }
        return connection;
    }

    private synchronized void abortThoseNotTaken() throws SQLException {
        for (Connection connection : connected.values()) {
            connection.abort(Runnable::run);
        }
        connected.clear();
    }

    private void hangAll() {
        hang(0);
        hang(1);
    }

    protected final void closeAndLookForRemains(DistributedIds ids) throws IOException, InterruptedException {
        Thread closing = new Thread(ids::close);
        closing.start();
        closing.join(2 * DEADLINE.toMillis());

        assertThat(closing.isAlive()).as("close() has not returned").isFalse();
        leftBehind.awaitNone(ports());
    }

    protected final void call(DistributedIds ids, String name) {
        Thread caller = new Thread(() -> {
            try {
                ids.next(name);
            } catch (DistributedIdException e) {
                return;
            }
        });
        caller.setDaemon(true);
        callers.add(caller);
        caller.start();
    }

    private static List<String> names() {
        return Stream.concat(counted().stream(), leased().stream()).toList();
    }

    private static List<String> counted() {
        return IntStream.range(0, SEQUENCES).mapToObj(i -> "counted" + i).toList();
    }

    private static List<String> leased() {
        return List.of("leased0", "leased1");
    }

    private Map<String, Object> settings(String timeout, String blockMax) {
        Map<String, Object> settings = new HashMap<>(counting());
        settings.put("distributedid.timeout", timeout);
        settings.put("distributedid.block.max", blockMax);
        for (int i = 0; i < 2; i++) {
            String prefix = "distributedid.seq.leased" + i + ".";
            settings.put(prefix + "backend", "snowflake");
            settings.put(prefix + "snowflake.worker", "lease");
            settings.put(prefix + "snowflake.lease.server", urls().get(i));
            settings.put(prefix + "create_tables", "true");
        }
        return settings;
    }
}
