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
import java.util.HashMap;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From N servers to others, while clients run, and cut off anywhere. */
public abstract class SequenceTableMoveContract {

    private static final String SERVERS = "distributedid.sequence_table.servers";

    private static final int MANY = 1_000;

    /** Every id that was given; none may be given twice. */
    private final Set<Long> taken = ConcurrentHashMap.newKeySet();

    private final Map<DataSource, String> labels = new IdentityHashMap<>();

    private List<DataSource> all = List.of();

    /** Four databases, at first without any table. */
    protected abstract List<DataSource> servers();

    /**
     * Which calls to servers are cut off: every so many-th. All of them take minutes on real servers;
     * {@code -Dmoves.every=1} does it there, too.
     */
    protected int every() {
        return Integer.getInteger("moves.every", 9);
    }

    /**
     * From which servers to which the moves go that are cut off. All are tried in memory. A real server shows how it
     * ends what was cut off, where one joins and one leaves.
     */
    protected List<String> listsOfCutMoves() {
        return List.of("13 14");
    }

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
        for (int count : new int[] {2, 3, 2, 3, 1}) {
            DistributedIds running = open(first(before), 1, patience());
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
        assertThat(taken).hasSize(240);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void noIdIsGivenTwiceWhileClientsRun(int block) throws Exception {
        take(first(2), 10);
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicLong given = new AtomicLong();
        List<Thread> clients = new ArrayList<>();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 4; i++) {
            Thread client = new Thread(() -> drawUntilRefused(block, given, stopped));
            client.setUncaughtExceptionHandler((thread, e) -> failures.add(e));
            client.start();
            clients.add(client);
        }
        Await.until(
                "the clients have 200 ids",
                () -> {
                    assertThat(failures).isEmpty();
                    return given.get() >= 200;
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

    private void drawUntilRefused(int block, AtomicLong given, AtomicBoolean stopped) {
        try (DistributedIds ids = open(first(2), block)) {
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
    @ParameterizedTest
    @ValueSource(strings = {"12 123", "12 312", "1 21"})
    void aClientOfTheNewListThatIsEarlyChangesNothing(String lists) throws Exception {
        List<DataSource> old = list(lists.split(" ")[0]);
        List<DataSource> next = list(lists.split(" ")[1]);
        takeMany(old);
        Map<String, List<String>> before = contents(next);

        assertRefused(next);
        List<CheckResult> results;
        try (DistributedIds early = open(next)) {
            results = early.admin().check("photos");
        }
        Map<String, List<String>> after = contents(next);

        move(old, next);
        takeMany(next);
        assertThat(taken).hasSize(2 * MANY);
        assertThat(results).anyMatch(result -> result.status() == CheckResult.Status.FAILED);
        assertThat(after).isEqualTo(before);
    }

    private void takeMany(List<DataSource> servers) {
        try (DistributedIds ids = open(servers, 50)) {
            take(ids, MANY);
        }
    }

    private void clear() throws SQLException {
        taken.clear();
        for (DataSource server : all()) {
            try (Connection connection = server.getConnection();
                    Statement statement = connection.createStatement()) {
                for (String table : tables(connection)) {
                    statement.execute("DROP TABLE " + table);
                }
            }
        }
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

    @Test
    void aMoveThatWasCutOffAnywhereIsRepeated() throws Exception {
        for (String lists : listsOfCutMoves()) {
            clear();
            cutOff(lists, false);
        }
    }

    @Test
    void aMoveThatWasCutOffAnywhereIsTakenBack() throws Exception {
        for (String lists : listsOfCutMoves()) {
            clear();
            cutOff(lists, true);
        }
    }

    private void cutOff(String lists, boolean takenBack) throws Exception {
        List<DataSource> old = list(lists.split(" ")[0]);
        List<DataSource> next = list(lists.split(" ")[1]);
        take(old, 5);
        int cuts = 0;
        for (boolean completed = false; !completed; cuts += every()) {
            CutOff cut = new CutOff(cuts);
            DistributedIds running = open(old, 1, patience());
            take(running, 2);
            try {
                move(cut, old, next);
                completed = true;
            } catch (IdUnavailableException e) {
                assertThat(e.getMessage()).contains(CutOff.MESSAGE);
            }
            drain(running);
            if (takenBack) {
                takeBack(old, next, completed);
                assertInUse(old, next);
            } else {
                move(old, next);
                assertInUse(next, old);
                move(next, old);
            }
            running.close();
            take(old, 2);
        }
        assertThat(cuts).isGreaterThan(20);
    }

    /** What was cut off before the first change is not there to be taken back. */
    private void takeBack(List<DataSource> old, List<DataSource> next, boolean completed) throws SQLException {
        Map<String, List<String>> before = contents(all());
        try {
            move(next, old);
        } catch (IdConfigurationException e) {
            assertThat(completed).isFalse();
            assertThat(e.getMessage())
                    .as("%s", before)
                    .containsAnyOf(
                            "The target is in use",
                            " has no header in its ledger",
                            "Clients must number the servers alike");
        }
    }

    /** "2": the first two; "13" the first and the third. */
    private List<DataSource> list(String text) {
        List<DataSource> all = all();
        return text.length() == 1
                ? all.subList(0, Integer.parseInt(text))
                : text.chars().mapToObj(place -> all.get(place - '1')).toList();
    }

    private void assertInUse(List<DataSource> list, List<DataSource> other) {
        take(list, 4);
        try (DistributedIds ids = open(other)) {
            assertThat(ids.admin().check("photos")).anyMatch(result -> result.status() == CheckResult.Status.FAILED);
        }
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

    /** Of one that stands alone, the operator says how far it had come. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void noIdIsGivenTwiceIfATableThatLostIdsMoves(String list) throws Exception {
        List<DataSource> old = list(list);
        take(old, 40);
        long highest = taken.stream().mapToLong(Long::longValue).max().orElseThrow();
        for (String loss : List.of("DELETE FROM sequence", "UPDATE sequence SET id = 3")) {
            try (Connection connection = old.get(0).getConnection();
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate(loss);
            }
            List<DataSource> next = first(old.size() + 1);
            if (old.size() == 1) {
                Map<String, List<String>> before = contents(all());
                assertThatThrownBy(() -> move(old, next))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageStartingWith(
                                "A counter went back and may give ids again: table=sequence" + " name=photos on s1");
                assertThat(contents(all())).isEqualTo(before);
            }
            move(old, next, old.size() == 1 ? highest : 0);
            take(next, 40);
            move(next, old);
            take(old, 40);
            highest = taken.stream().mapToLong(Long::longValue).max().orElseThrow();
        }
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
        for (int run = 0; run < 10; run++) {
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
                try (DistributedIds ids = open(list, 1, patience())) {
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
        move(from, to, 0);
    }

    private void move(List<DataSource> from, List<DataSource> to, long above) {
        move(from, to, settings(from, 1, patience()), settings(to, 1, patience()), above);
    }

    private void move(CutOff cut, List<DataSource> from, List<DataSource> to) {
        Map<String, Object> old = new HashMap<>(settings(from, 1, patience()));
        Map<String, Object> now = new HashMap<>(settings(to, 1, patience()));
        old.put(SERVERS, named(from, cut.wrap(from)));
        now.put(SERVERS, named(to, cut.wrap(to)));
        move(from, to, old, now, 0);
    }

    private static void move(
            List<DataSource> from, List<DataSource> to, Map<String, Object> old, Map<String, Object> now, long above) {
        try (DistributedIds ids = DistributedIds.create(now)) {
            ids.admin()
                    .move(
                            "photos",
                            new CounterMove(
                                    CounterMove.Kind.PLACE,
                                    List.of(old),
                                    above,
                                    Set.of(),
                                    false,
                                    highest -> {},
                                    token -> {}));
        }
    }

    /** With labels that tell a server in both lists. */
    private List<ConnectionAccess> named(List<DataSource> servers, List<DataSource> used) {
        List<ConnectionAccess> named = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            String label = labels.computeIfAbsent(servers.get(i), each -> "s" + (labels.size() + 1));
            named.add(new Named(label, used.get(i)));
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
        return open(servers, 1);
    }

    private DistributedIds open(List<DataSource> servers, int block) {
        return open(servers, block, "2s");
    }

    private DistributedIds open(List<DataSource> servers, int block, String timeout) {
        return DistributedIds.create(settings(servers, block, timeout));
    }

    private Map<String, Object> settings(List<DataSource> servers, int block, String timeout) {
        return Map.of(
                "distributedid.backend",
                "sequence_table",
                SERVERS,
                named(servers, servers),
                "distributedid.create_tables",
                true,
                "distributedid.timeout",
                "1m",
                "distributedid.block.min",
                Math.min(block, 10),
                "distributedid.block.max",
                block,
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
                    try (DistributedIds ids = open(servers, 1, patience())) {
                        ids.next("photos");
                    }
                })
                .isInstanceOf(DistributedIdException.class);
    }
}
