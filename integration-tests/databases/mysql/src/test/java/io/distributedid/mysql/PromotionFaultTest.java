package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.mysql.CounterClient.Field;
import io.distributedid.testkit.CuttingProxy;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.FaultRun;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two processes draw ids from a pair of servers, and one server fails over to a replica that lags. Before and after it,
 * processes and the other server are killed and connections are cut, one at a time. It shows that no id is given twice
 * and no client is refused.
 *
 * <p>{@code -Dfaults.seed=...} repeats the order of another run.
 */
@Needs(Need.MYSQL)
class PromotionFaultTest {

    private enum Kind {
        /** The replica stops to apply; later the source is killed, and the address leads to the replica. */
        PROMOTE,
        /** A process is killed, and started again. */
        KILL_PROCESS,
        /** A connection breaks after the server has done a statement, and before its client knows. */
        CUT,
        /** The server without a replica is killed, and started again. */
        KILL_SERVER
    }

    private static final String SCHEMA = "promotion";

    private static final int NODES = 2;

    private static final int LONGEST_PAUSE_MILLIS = 500;

    /** Ids of the source that never reach the replica, at least. */
    private static final int LACKED = 400;

    private final long seed = Long.getLong("faults.seed", System.nanoTime());

    @TempDir
    Path folder;

    private String backend;

    private List<String> urls;

    private CounterClients clients;

    private ReplicatedServer replicated;

    private FaultServer odd;

    private FaultServer even;

    private FaultRun<Kind> run;

    @ParameterizedTest
    @ValueSource(strings = {"ticket", "sequence_table"})
    void noIdTwiceAndNoRefusalWhenAServerFailsOverToAReplicaThatLags(String ofServers) throws Exception {
        System.out.println("promotion fault run: backend=" + ofServers + " seed=" + seed);
        backend = ofServers;
        replicated = ReplicatedServer.empty();
        clients = new CounterClients(folder, "1m");
        run = new FaultRun<>(new Random(seed), Kind.class, clients::requireAlive);
        MySqlServer source = replicated.source();
        odd = new FaultServer("odd", SCHEMA, source, new CuttingProxy(source.port()));
        even = FaultServer.of("even", MySqlServers.even(), SCHEMA);
        try (CounterClients processes = clients) {
            urls = List.of(odd.proxiedUrl(), even.proxiedUrl());
            try {
                inflictAll();
                assertThat(processes.board().sum(Field.REFUSALS))
                        .as(processes.logs())
                        .isZero();
                processes.stopAll();
                System.out.println("promotion fault run: backend=" + backend + " seed=" + seed + " ids="
                        + processes.ids().length + " faults:" + run);
                processes.assertNoneTwice();
            } catch (Exception | AssertionError e) {
                throw new AssertionError(e.getMessage() + " (seed=" + seed + ")" + run, e);
            }
        }
    }

    private void startAll() throws Exception {
        for (int node = 0; node < NODES; node++) {
            clients.start(node, backend, urls);
        }
        awaitIdsOfBoth();
    }

    private void awaitIdsOfBoth() throws Exception {
        for (int node = 0; node < NODES; node++) {
            awaitIds(node, Field.HIGHEST_0);
            awaitIds(node, Field.HIGHEST_1);
        }
    }

    private void inflictAll() throws Exception {
        startAll();
        List<Kind> faults = new ArrayList<>(List.of(Kind.KILL_PROCESS, Kind.CUT, Kind.KILL_SERVER));
        Collections.shuffle(faults, run.random());
        faults.add(1 + run.random().nextInt(faults.size() - 1), Kind.PROMOTE);
        for (Kind fault : faults) {
            run.pause(LONGEST_PAUSE_MILLIS);
            inflict(fault);
        }
        for (int node = 0; node < NODES; node++) {
            awaitIds(node, Field.IDS);
        }
    }

    private void inflict(Kind fault) throws Exception {
        switch (fault) {
            case PROMOTE -> promote();
            case KILL_PROCESS -> killProcess();
            case CUT -> cut();
            case KILL_SERVER -> killServer();
        }
    }

    private void promote() throws Exception {
        run.note(Kind.PROMOTE, odd);
        long last = lag();
        if (run.random().nextBoolean()) {
            killProcess();
        }
        run.pause(LONGEST_PAUSE_MILLIS);
        replicated.promote();
        long promoted = highestOdd();
        run.note("source gone: given=" + promoted + " the replica has " + last);
        assertThat(lastOfReplica()).as("the replica lags").isEqualTo(last).isLessThan(promoted);
        if (run.random().nextBoolean()) {
            killProcess();
        }
        run.pause(LONGEST_PAUSE_MILLIS);
        odd.proxy().switchTo(replicated.replica().port());
        run.note("switched");
        run.await("clients use the replica", () -> lastOfReplica() > last);
        long raised = lastOfReplica();
        for (int node = 0; node < NODES; node++) {
            int one = node;
            run.await(
                    "node " + node + " has ids of the replica",
                    () -> clients.board().get(one, Field.HIGHEST_1) > Math.min(raised, promoted + 2 * LACKED));
        }
        run.note("in use: the replica had " + raised);
    }

    /** Returns the last id that the replica will ever hear of, once many above it were given. */
    private long lag() throws Exception {
        replicated.lag();
        long last = lastOfReplica();
        run.await("the replica lags", () -> highestOdd() > last + 2 * LACKED);
        return last;
    }

    private long lastOfReplica() throws Exception {
        String table = backend.equals("ticket") ? "Tickets64" : "sequence";
        return DatabaseRows.number(
                replicated.replica().jdbcUrl("mysql"), "SELECT MAX(id) FROM " + SCHEMA + "." + table);
    }

    private long highestOdd() {
        return clients.board().highest(Field.HIGHEST_1);
    }

    private void killProcess() throws Exception {
        int node = run.random().nextInt(NODES);
        run.note(Kind.KILL_PROCESS, "node " + node);
        clients.kill9(node);
        clients.start(node, backend, urls);
        awaitIds(node, Field.IDS);
    }

    /**
     * Either the ids are reserved and the client does not know, or they are drawn and the transaction is rolled back. A
     * sequence table has no transactions.
     */
    private void cut() throws Exception {
        FaultServer side = run.random().nextBoolean() ? odd : even;
        run.note(Kind.CUT, side);
        String ofTickets = run.random().nextBoolean() ? "COMMIT" : "REPLACE";
        Future<Boolean> cut = side.proxy().cutAtAnswerTo(backend.equals("ticket") ? ofTickets : "UPDATE");
        run.await("a client of " + side + " is cut off", cut::isDone);
    }

    /** Ends when ids of that server are given again, so that one server is always there. */
    private void killServer() throws Exception {
        run.note(Kind.KILL_SERVER, even);
        even.server().kill9();
        run.pause(LONGEST_PAUSE_MILLIS);
        even.server().restart();
        for (int node = 0; node < NODES; node++) {
            awaitIds(node, Field.HIGHEST_0);
        }
    }

    private void awaitIds(int node, Field field) throws Exception {
        long before = clients.board().get(node, field);
        run.await("node " + node + " has ids: " + field, () -> clients.board().get(node, field) > before);
    }
}
