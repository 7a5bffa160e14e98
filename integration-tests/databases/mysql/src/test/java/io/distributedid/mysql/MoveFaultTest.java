package io.distributedid.mysql;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
import io.distributedid.mysql.CounterClient.Field;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.FaultRun;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes draw ids from a sequence table on two servers while it moves to three. One is killed, one is stopped, one
 * goes on until it is refused. New processes have the new list, one of them too early. It shows that no id is given
 * twice over old and new processes, and that the new ones work.
 *
 * <p>{@code -Dfaults.seed=...} repeats the order of another run.
 */
@Needs(Need.MYSQL)
class MoveFaultTest {

    private enum Kind {
        MOVE,
        KILL_PROCESS,
        STOP_PROCESS,
        START_PROCESS,
        CUT
    }

    private static final String SCHEMA = "moveload";

    private static final String BACKEND = "sequence_table";

    private static final int OLD = 3;

    private static final int NEW = 3;

    private static final int LONGEST_PAUSE_MILLIS = 500;

    private final long seed = Long.getLong("faults.seed", System.nanoTime());

    private final List<FaultServer> servers = new ArrayList<>();

    @TempDir
    Path folder;

    private CounterClients clients;

    private FaultRun<Kind> run;

    @Test
    void noIdTwiceWhenATableMovesUnderLoad() throws Exception {
        System.out.println("move fault run: seed=" + seed);
        clients = new CounterClients(folder, "3s");
        run = new FaultRun<>(new Random(seed), Kind.class, clients::requireAlive);
        try (CounterClients processes = clients) {
            for (int server = 0; server < 3; server++) {
                servers.add(FaultServer.of("server " + server, MySqlServers.shard(server), SCHEMA));
            }
            moveUnderLoad();
            processes.stopAll();
            System.out.println("move fault run: seed=" + seed + " ids=" + processes.ids().length + " events:" + run);
            processes.assertNoneTwice();
        } catch (Exception | AssertionError e) {
            throw new AssertionError(e.getMessage() + " (seed=" + seed + ")" + run, e);
        }
    }

    private void moveUnderLoad() throws Exception {
        for (int node = 0; node < OLD; node++) {
            start(node, 2);
        }
        for (int node = 0; node < OLD; node++) {
            awaitIdsOfAll(node, 2);
        }
        start(OLD, 3);
        awaitRefusal(OLD);
        cut();
        run.pause(LONGEST_PAUSE_MILLIS);

        int first = run.random().nextInt(OLD);
        int killed = run.random().nextBoolean() ? first : -1;
        if (killed >= 0) {
            kill(killed);
        }
        run.note(Kind.MOVE, "begins");
        move();
        run.note("moved");
        if (killed < 0) {
            kill(first);
        }
        int second = (first + 1) % OLD;
        run.note(Kind.STOP_PROCESS, "node " + second);
        clients.stop(second);

        for (int node = OLD + 1; node < OLD + NEW; node++) {
            start(node, 3);
        }
        int third = (first + 2) % OLD;
        for (int node = OLD; node < OLD + NEW; node++) {
            awaitIdsOfAll(node, 3);
        }
        awaitRefusal(third);
        kill(OLD + run.random().nextInt(NEW));
        for (int node = OLD; node < OLD + NEW; node++) {
            if (!clients.isRunning(node)) {
                start(node, 3);
            }
            awaitIdsOfAll(node, 3);
        }
    }

    /** Between the header and the rows of the first server, the move is slow: draws go on, and it must see them. */
    private void move() throws SQLException {
        DataSource first = PausingServer.before(
                "SELECT name, version, number, state, text FROM distributedid FORCE INDEX (PRIMARY)",
                dataSource(servers.get(0)),
                this::awaitRefusalsOrIds);
        try (DistributedIds ids = DistributedIds.create(settings(first, 3))) {
            ids.admin().move("photos", CounterMove.from(settings(first, 2)));
        }
    }

    private Map<String, Object> settings(DataSource first, int count) {
        List<ConnectionAccess> list = new ArrayList<>();
        for (FaultServer server : servers.subList(0, count)) {
            list.add(new Named(server.toString(), list.isEmpty() ? first : dataSource(server)));
        }
        return Map.of(
                "distributedid.backend",
                BACKEND,
                "distributedid.sequence_table.servers",
                list,
                "distributedid.create_tables",
                true,
                "distributedid.timeout",
                "1m");
    }

    /** Its label tells that it is one server in both lists. */
    private record Named(String label, DataSource server) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return server.getConnection();
        }
    }

    private static DataSource dataSource(FaultServer server) {
        MysqlDataSource one = new MysqlDataSource();
        one.setUrl(server.url());
        return one;
    }

    /** Each process is refused by now, or draws ids that the move does not know of. */
    private void awaitRefusalsOrIds() throws Exception {
        long last = 0;
        for (FaultServer server : servers.subList(0, 2)) {
            last = Math.max(last, DatabaseRows.number(server.url(), "SELECT id FROM sequence WHERE name = 'photos'"));
        }
        for (int node = 0; node < OLD; node++) {
            if (clients.isRunning(node)) {
                awaitRefusalOrIdAbove(node, last);
            }
        }
    }

    private void start(int node, int count) throws Exception {
        run.note(Kind.START_PROCESS, "node " + node + " with " + count + " servers");
        clients.start(
                node,
                BACKEND,
                servers.subList(0, count).stream().map(FaultServer::proxiedUrl).toList());
    }

    private void kill(int node) throws InterruptedException {
        run.note(Kind.KILL_PROCESS, "node " + node);
        clients.kill9(node);
    }

    private void cut() throws Exception {
        FaultServer side = servers.get(run.random().nextInt(2));
        run.note(Kind.CUT, side);
        Future<Boolean> cut = side.proxy().cutAtAnswerTo("UPDATE");
        run.await("a client of " + side + " is cut off", cut::isDone);
    }

    private void awaitRefusal(int node) throws Exception {
        long before = clients.board().get(node, Field.REFUSALS);
        run.await("node " + node + " is refused", () -> clients.board().get(node, Field.REFUSALS) > before);
    }

    private void awaitRefusalOrIdAbove(int node, long id) throws Exception {
        long refusals = clients.board().get(node, Field.REFUSALS);
        run.await(
                "node " + node + " is refused or has an id above " + id,
                () -> clients.board().get(node, Field.REFUSALS) > refusals
                        || clients.board().get(node, Field.HIGHEST_0) > id
                        || clients.board().get(node, Field.HIGHEST_1) > id);
    }

    /** From now on. */
    private void awaitIdsOfAll(int node, int count) throws Exception {
        for (int remainder = 0; remainder < count; remainder++) {
            Field field = Field.highest(remainder);
            long before = clients.board().get(node, field);
            run.await(
                    "node " + node + " has ids: " + field, () -> clients.board().get(node, field) > before);
        }
    }
}
