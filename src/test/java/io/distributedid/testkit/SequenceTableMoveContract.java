package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.CounterMove;
import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** From N servers to others, while clients run. The simulation cuts moves off anywhere. */
public abstract class SequenceTableMoveContract {

    private static final String SERVERS = "distributedid.sequence_table.servers";

    /** Every id that was given; none may be given twice. */
    private final Set<Long> taken = ConcurrentHashMap.newKeySet();

    private final Map<DataSource, String> labels = new IdentityHashMap<>();

    private List<DataSource> all = List.of();

    /** Four databases, at first without any table. */
    protected abstract List<DataSource> servers();

    /** Whether each has an identity of its own. */
    protected boolean tellsServersApart() {
        return true;
    }

    /** How long a client waits that is refused; many are. */
    protected String patience() {
        return "100ms";
    }

    private List<DataSource> all() {
        if (all.isEmpty()) {
            all = servers();
            all.forEach(each -> labels.put(each, "s" + (labels.size() + 1)));
        }
        return all;
    }

    private List<DataSource> first(int count) {
        return all().subList(0, count);
    }

    @Test
    void noIdIsGivenTwiceWhenATableMovesForthAndBack() throws Exception {
        List<DistributedIds> left = new ArrayList<>();
        int before = 1;
        take(first(1), 20);
        for (int count : new int[] {2, 3, 1}) {
            DistributedIds running = open(first(before), patience());
            take(running, 20);
            move(first(before), first(count));
            move(first(before), first(count));
            assertRefused(running);
            assertRefused(first(before));
            left.add(running);
            take(first(count), 20);
            before = count;
        }
        left.forEach(DistributedIds::close);
        take(first(1), 20);
        assertThat(taken).hasSize(160);
    }

    @Test
    void noIdIsGivenTwiceWhileClientsRun() throws Exception {
        take(first(2), 10);
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicLong given = new AtomicLong();
        List<Thread> clients = new ArrayList<>();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 4; i++) {
            Thread client = new Thread(() -> drawUntilRefused(given, stopped));
            client.setUncaughtExceptionHandler((thread, e) -> failures.add(e));
            client.start();
            clients.add(client);
        }
        Await.until(
                "the clients have 60 ids",
                () -> {
                    assertThat(failures).isEmpty();
                    return given.get() >= 60;
                },
                given::get);
        assertThatThrownBy(() -> open(first(3)).next("photos")).isInstanceOf(DistributedIdException.class);
        move(first(2), first(3));
        take(first(3), 100);
        stopped.set(true);
        for (Thread client : clients) {
            client.join();
        }
        take(first(3), 100);
        assertThat(failures).isEmpty();
    }

    private void drawUntilRefused(AtomicLong given, AtomicBoolean stopped) {
        try (DistributedIds ids = open(first(2))) {
            while (!stopped.get()) {
                try {
                    add(GivenIds.next(ids));
                    given.incrementAndGet();
                } catch (DistributedIdException e) {
                    return;
                }
            }
        }
    }

    /** A new server that is listed first is the first that such a client reaches. */
    @Test
    void aClientOfTheNewListThatIsEarlyChangesNothing() throws Exception {
        List<DataSource> old = first(2);
        List<DataSource> next = List.of(all().get(2), all().get(0), all().get(1));
        take(old, 20);
        Map<String, List<String>> before = contents(next);

        assertRefused(next);
        List<CheckResult> results;
        try (DistributedIds early = open(next)) {
            results = early.admin().check("photos");
        }
        Map<String, List<String>> after = contents(next);

        move(old, next);
        take(next, 20);
        assertThat(taken).hasSize(40);
        assertThat(results).anyMatch(result -> result.status() == CheckResult.Status.FAILED);
        assertThat(after).isEqualTo(before);
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet table = connection
                .getMetaData()
                .getTables(
                        connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE", "BASE TABLE"})) {
            while (table.next()) {
                tables.add(table.getString("TABLE_NAME"));
            }
        }
        return tables;
    }

    /** Takes what a client gets. */
    private void drain(DistributedIds ids) {
        for (int i = 0; i < 4; i++) {
            try {
                add(ids.next("photos"));
            } catch (DistributedIdException e) {
                return;
            }
        }
    }

    /** An empty one answers in its place. */
    @Test
    void aLostServerIsReplaced() throws Exception {
        DataSource a = all().get(0);
        DataSource b = all().get(1);
        DataSource c = all().get(2);
        take(List.of(a, b), 40);
        try (Connection connection = b.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : tables(connection)) {
                statement.executeUpdate("DROP TABLE " + table);
            }
        }

        move(List.of(a, b), List.of(a, c));

        take(List.of(a, c), 40);
        assertRefused(List.of(c, b));
        assertRefused(List.of(b));
        assertRefused(List.of(a, b));
        assertRefusedMove(List.of(a, b), List.of(a, all().get(3)));
        take(List.of(a, c), 40);
        move(List.of(a, c), List.of(a, b, c));
        take(List.of(a, b, c), 40);
    }

    @Test
    void nothingIsChangedUnlessAllServersWereInspected() throws Exception {
        List<DataSource> all = all();
        take(first(2), 10);
        try (DistributedIds foreign = open(List.of(all.get(2)))) {
            foreign.next("photos");
        }
        Map<String, List<String>> before = contents(all);

        assertRefusedMove(List.of(all.get(0)), all.subList(0, 1));
        assertRefusedMove(List.of(all.get(1), all.get(0)), List.of(all.get(0)));
        assertRefusedMove(first(2), first(3));
        if (tellsServersApart()) {
            assertRefusedMove(List.of(all.get(0), all.get(3)), List.of(all.get(0)));
        }
        assertRefusedMove(first(2), List.of(all.get(0), all.get(0)));
        assertThatThrownBy(() -> move(first(2), List.of(all.get(0), all.get(1), unreachable())))
                .isInstanceOf(IdUnavailableException.class);

        assertThat(contents(all)).isEqualTo(before);
        take(first(2), 10);
    }

    private void assertRefusedMove(List<DataSource> from, List<DataSource> to) {
        assertThatThrownBy(() -> move(from, to)).isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void ofTwoMovesAtOnceOneFailsOrChangesNothing() throws Exception {
        take(first(2), 10);
        for (int run = 0; run < 3; run++) {
            List<DataSource> old = first(2);
            List<Thread> operators = new ArrayList<>();
            for (List<DataSource> next : List.of(first(3), first(1))) {
                Thread operator = new Thread(() -> {
                    try {
                        move(old, next);
                    } catch (DistributedIdException e) {
                        // The other was faster.
                    }
                });
                operator.start();
                operators.add(operator);
            }
            for (Thread operator : operators) {
                operator.join();
            }
            for (List<DataSource> list : List.of(first(3), first(1), first(2))) {
                try (DistributedIds ids = open(list, patience())) {
                    drain(ids);
                } catch (DistributedIdException e) {
                    // Not in use.
                }
            }
            settle();
            take(first(2), 5);
        }
    }

    /** Back to two, whatever list was left in use. */
    private void settle() {
        List<Exception> refused = new ArrayList<>();
        for (int count : new int[] {3, 1}) {
            try {
                move(first(count), first(2));
                return;
            } catch (IdConfigurationException e) {
                refused.add(e);
            }
        }
        throw new AssertionError(refused.toString());
    }

    /** Every row of the counters and of their ledger, apart from the one that a new ledger has. */
    private static Map<String, List<String>> contents(List<DataSource> servers) throws SQLException {
        Map<String, List<String>> contents = new TreeMap<>();
        for (int i = 0; i < servers.size(); i++) {
            for (String table : List.of("sequence", "distributedid")) {
                List<String> rows = rows(servers.get(i), table);
                rows.removeIf(row -> row.startsWith("@store "));
                contents.put(i + " " + table, rows);
            }
        }
        return contents;
    }

    private static List<String> rows(DataSource server, String table) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT * FROM " + table + " ORDER BY 1, 2")) {
            while (row.next()) {
                StringBuilder text = new StringBuilder();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    text.append(row.getString(i)).append(' ');
                }
                rows.add(text.toString());
            }
        } catch (SQLException e) {
            rows.clear();
        }
        return rows;
    }

    private static DataSource unreachable() {
        return new CutOff(0).wrap(new PoolOfOne(null));
    }

    private void move(List<DataSource> from, List<DataSource> to) {
        try (DistributedIds ids = DistributedIds.create(settings(to, patience()))) {
            ids.admin().move("photos", CounterMove.from(settings(from, patience())));
        }
    }

    /** With labels that tell a server in both lists. */
    private List<ConnectionAccess> named(List<DataSource> servers) {
        List<ConnectionAccess> named = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            String label = labels.computeIfAbsent(servers.get(i), each -> "s" + (labels.size() + 1));
            named.add(new Named(label, servers.get(i)));
        }
        return named;
    }

    private record Named(String label, DataSource server) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return server.getConnection();
        }
    }

    private DistributedIds open(List<DataSource> servers) {
        return open(servers, "2s");
    }

    private DistributedIds open(List<DataSource> servers, String timeout) {
        return DistributedIds.create(settings(servers, timeout));
    }

    private Map<String, Object> settings(List<DataSource> servers, String timeout) {
        return Map.of(
                "distributedid.backend",
                "sequence_table",
                SERVERS,
                named(servers),
                "distributedid.create_tables",
                true,
                "distributedid.timeout",
                "1m",
                "distributedid.block.min",
                1,
                "distributedid.block.max",
                1,
                "distributedid.block.timeout",
                timeout);
    }

    private void take(List<DataSource> servers, int count) {
        try (DistributedIds ids = open(servers)) {
            take(ids, count);
        }
    }

    private void take(DistributedIds ids, int count) {
        for (int i = 0; i < count; i++) {
            add(next(ids));
        }
    }

    /** The timeout is short, since many are refused. */
    private static long next(DistributedIds ids) {
        for (int attempt = 1; ; attempt++) {
            try {
                return GivenIds.next(ids);
            } catch (IdUnavailableException e) {
                if (attempt == 10) {
                    throw e;
                }
            }
        }
    }

    private void add(long id) {
        if (!taken.add(id)) {
            throw new AssertionError("given twice: " + id);
        }
    }

    private static void assertRefused(DistributedIds ids) {
        assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(DistributedIdException.class);
    }

    private void assertRefused(List<DataSource> servers) {
        assertThatThrownBy(() -> {
                    try (DistributedIds ids = open(servers, patience())) {
                        ids.next("photos");
                    }
                })
                .isInstanceOf(DistributedIdException.class);
    }
}
