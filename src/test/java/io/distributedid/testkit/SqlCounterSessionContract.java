package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Header;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.Write;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToNote;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counters in tables of a database: locks, other sessions, foreign clients, privileges. */
public abstract class SqlCounterSessionContract extends CounterSessionContract {

    private static final String LABEL = "the server of the test";

    /** MySQL shows the same picture to whoever asks more often than every 100 ms. */
    private static final Duration PAUSE = Duration.ofMillis(120);

    private final List<Connection> open = new ArrayList<>();

    /** A new connection in autocommit mode, to a database that only this class uses. */
    protected abstract Connection connect() throws SQLException;

    /** As above, with a user that {@link #createUser} has created. */
    protected abstract Connection connectAs(String user) throws SQLException;

    /** Statements that create a user who may connect, and has no right to any table. */
    protected abstract List<String> createUser(String user);

    /** A session of the backend. */
    protected abstract CounterSession open(Connection connection, String label, Numbering numbering, boolean create)
            throws SQLException;

    /** A query that counts the sessions that wait for the lock of a row. */
    protected abstract String waiting();

    /** The type of a column that does not tell letters' cases apart; empty if the database has none. */
    protected abstract String caselessType();

    @AfterEach
    void closeConnections() throws SQLException {
        for (Connection each : open) {
            each.close();
        }
    }

    protected final Connection kept(Connection connection) {
        synchronized (open) {
            open.add(connection);
        }
        return connection;
    }

    @Override
    protected final CounterSession session(Numbering numbering) throws SQLException {
        return open(kept(connect()), LABEL, numbering, true);
    }

    @Override
    protected void set(CounterKey counter, long last) throws SQLException {
        if (execute(toSet(counter, last)) == 0) {
            execute("INSERT INTO " + counter.table() + " (name, id) VALUES ('" + counter.row() + "', " + last + ")");
        }
    }

    /** A statement that sets a counter that is there. */
    protected String toSet(CounterKey counter, long last) {
        return "UPDATE " + counter.table() + " SET id = " + last + " WHERE name = '" + counter.row() + "'";
    }

    /** A query that locks a counter. */
    protected String toLock(CounterKey counter) {
        return lock(counter.table(), counter.row());
    }

    /** How a client that knows nothing of the ledger takes an id, in a transaction. */
    protected long plainId(Connection connection, CounterKey counter) throws SQLException {
        lockCounter(connection, counter);
        String where = " WHERE name = '" + counter.row() + "'";
        execute(connection, "UPDATE " + counter.table() + " SET id = id + 2" + where);
        return number(connection, "SELECT id FROM " + counter.table() + where);
    }

    /** What a table is, and the rights to it that a client needs. */
    protected List<String> names() {
        return List.of("The sequence table", "SELECT, INSERT, UPDATE");
    }

    @Override
    protected void delete(CounterKey counter) throws SQLException {
        execute("DELETE FROM " + counter.table() + " WHERE name = '" + counter.row() + "'");
    }

    protected final int execute(String sql) throws SQLException {
        try (Connection connection = connect()) {
            return execute(connection, sql);
        }
    }

    protected static int execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    protected static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private Connection holder() throws SQLException {
        Connection holder = kept(connect());
        holder.setAutoCommit(false);
        return holder;
    }

    /** Work that waits for what another transaction does, and what comes of it. */
    private <T> T waits(Connection holder, Callable<T> work, String thenDone) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "waits");
        thread.setDaemon(true);
        thread.start();
        try (Connection look = connect();
                Connection held = holder) {
            Await.every(
                    PAUSE,
                    Await.PATIENCE,
                    "it waits for the row",
                    () -> task.isDone() || number(look, waiting()) > 0,
                    () -> "");
            if (!thenDone.isEmpty()) {
                assertThat(execute(held, thenDone)).isEqualTo(1);
            }
            held.commit();
        }
        return task.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** The wait for a lock is short: on a busy machine it may be over before the other transaction is. */
    private static <T> T untilInTime(Callable<T> round) {
        List<T> answers = new ArrayList<>();
        Await.until("a wait ends in time", () -> {
            try {
                T answer = round.call();
                answers.add(answer);
                return !answer.equals(Drawn.LOCKED);
            } catch (SQLException e) {
                if (SqlErrors.isTimeout(e)) {
                    return false;
                }
                throw e;
            }
        });
        return answers.get(answers.size() - 1);
    }

    private static String lock(String table, String name) {
        return "SELECT name FROM " + table + " WHERE name = '" + name + "' FOR UPDATE";
    }

    private void lockCounter(Connection holder, CounterKey counter) throws SQLException {
        lock(holder, toLock(counter));
    }

    private static void lockRow(Connection holder, CounterKey counter) throws SQLException {
        lock(holder, lock("distributedid", counter.ledgerRow()));
    }

    private static void lock(Connection holder, String query) throws SQLException {
        try (Statement statement = holder.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            assertThat(row.next()).isTrue();
        }
    }

    private static String newVersion(CounterKey counter) {
        return "UPDATE distributedid SET version = '99-f00d' WHERE name = '" + counter.ledgerRow() + "'";
    }

    @Test
    void onlyALookCreatesTables() throws SQLException {
        CounterKey counter = counter("photos");
        List<CounterKey> all = List.of(counter);
        CounterSession reader = session(LONE);
        CounterSession other = open(kept(connect()), LABEL, LONE, false);

        for (CounterSession each : List.of(reader, other)) {
            assertThatThrownBy(() -> each.look(all, false))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(names().get(0) + " is missing: table=" + counter.table() + " on " + LABEL
                            + ". Create it: CREATE TABLE IF NOT EXISTS " + counter.table());
        }
        assertThatThrownBy(() -> other.look(all, true)).isInstanceOf(IdConfigurationException.class);

        assertThat(reader.look(all, true).get(counter).counter()).isEmpty();
        assertThat(other.look(all, false)).isEqualTo(reader.look(all, false));
    }

    /** A draw finds the row under a version, and waits for a transaction that changes it. */
    @Test
    void aDrawThatWaitedIsRefusedUnderTheNewVersion() throws Exception {
        for (int names = 1; names <= 2; names++) {
            List<CounterKey> all =
                    List.of(counter("photos" + names), counter("users" + names)).subList(0, names);
            CounterKey changed = all.get(names - 1);
            CounterSession session = session(LONE);
            List<Draw> draws = new ArrayList<>();
            for (CounterKey each : all) {
                draws.add(draw(each, 10, created(session, each, 100).version()));
            }
            Drawn answer = untilInTime(() -> {
                Connection holder = holder();
                lockRow(holder, changed);
                return waits(holder, () -> session.draw(draws).get(changed), newVersion(changed));
            });

            assertThat(answer).isEqualTo(Drawn.REFUSED);
            Seen seen = look(session, changed);
            assertThat(seen.counter()).hasValue(100);
            assertThat(seen.row().number()).isEqualTo(100);
        }
    }

    @Test
    void aDrawThatWaitedGivesWhatComesAfterTheOther() throws Exception {
        CounterKey counter = counter("photos");
        CounterSession session = session(LONE);
        CounterRow row = created(session, counter, 100);
        Drawn answer = untilInTime(() -> {
            set(counter, 100);
            execute("UPDATE distributedid SET number = 100 WHERE name = '" + counter.ledgerRow() + "'");
            Connection holder = holder();
            lockRow(holder, counter);
            execute(holder, toSet(counter, 150));
            return waits(
                    holder,
                    () -> drawn(session, draw(counter, 10, row.version())),
                    "UPDATE distributedid SET number = 150 WHERE name = '" + counter.ledgerRow() + "'");
        });

        assertThat(answer).isEqualTo(Drawn.of(new Block(151, 1, 10)));
        assertThat(look(session, counter).row().number()).isEqualTo(160);
    }

    @Test
    void aDrawThatWaitedSeesThatTheCounterHasLostIds() throws Exception {
        CounterKey counter = counter("photos");
        CounterSession session = session(LONE);
        CounterRow row = created(session, counter, 100);
        Drawn answer = untilInTime(() -> {
            Connection holder = holder();
            lockRow(holder, counter);
            return waits(
                    holder,
                    () -> drawn(session, draw(counter, 10, row.version())),
                    "UPDATE distributedid SET number = 150 WHERE name = '" + counter.ledgerRow() + "'");
        });

        assertThat(answer).isEqualTo(Drawn.REFUSED);
        assertThat(look(session, counter).isBlind()
                        || look(session, counter).counter().equals(OptionalLong.of(100)))
                .isTrue();
    }

    @Test
    void aRowThatWaitedIsNotWrittenOverANewVersion() throws Exception {
        CounterKey counter = counter("photos");
        CounterSession session = session(LONE);
        CounterRow row = created(session, counter, 100);
        Write write = to(counter, row.version(), row(row.version().next(token()), 500), OptionalLong.of(500), Map.of());
        boolean isDone = untilInTime(() -> {
            Connection holder = holder();
            lockRow(holder, counter);
            return waits(holder, () -> isMade(session, write), newVersion(counter));
        });

        assertThat(isDone).isFalse();
        Seen seen = look(session, counter);
        assertThat(seen.row().version()).isEqualTo(new Version(99, "f00d"));
        assertThat(seen.row().number()).isEqualTo(100);
        assertThat(seen.counter()).hasValue(100);
    }

    @Test
    void aRowThatWaitedForgetsNoDraw() throws Exception {
        CounterKey counter = counter("photos");
        CounterSession session = session(LONE);
        CounterRow row = created(session, counter, 100);
        Write close = to(counter, row.version(), row(row.version().next(token()), 120), OptionalLong.of(120), Map.of());
        boolean isDone = untilInTime(() -> {
            Connection holder = holder();
            lockRow(holder, counter);
            execute(holder, toSet(counter, 150));
            return waits(
                    holder,
                    () -> isMade(session, close),
                    "UPDATE distributedid SET number = 150 WHERE name = '" + counter.ledgerRow() + "'");
        });

        assertThat(isDone).isTrue();
        Seen seen = look(session, counter);
        assertThat(seen.row().number()).isEqualTo(150);
        assertThat(seen.counter()).hasValue(150);
    }

    @Test
    void aHeaderThatWaitedIsNotWrittenOverANewVersion() throws Exception {
        CounterKey counter = counter("photos");
        CounterSession session = session(LONE);
        look(session, counter);
        Version version = Version.first(token());
        assertThat(isMade(session, new Write(0, null, new ToHeader(counter, header(version)))))
                .isTrue();
        Write open = new Write(0, version, new ToHeader(counter, header(version.next(token()))));
        boolean isDone = untilInTime(() -> {
            Connection holder = holder();
            lock(holder, lock("distributedid", counter.header()));
            return waits(
                    holder,
                    () -> isMade(session, open),
                    "UPDATE distributedid SET version = '99-f00d' WHERE name = '" + counter.header() + "'");
        });

        assertThat(isDone).isFalse();
        assertThat(look(session, counter).header().version()).isEqualTo(new Version(99, "f00d"));
    }

    private static Header header(Version version) {
        return new Header(version, Header.State.NEW, "7f3a", LONE, List.of("here"), 1, "", "", "");
    }

    @Test
    void aNoteThatWaitedDoesNotEndTwice() throws Exception {
        CounterKey counter = counter("photos");
        CounterSession session = session(SECOND);
        look(session, counter);
        assertThat(isMade(session, create(counter, 0, Map.of(1L, Seen.NOT_CREATED))))
                .isTrue();
        boolean isDone = untilInTime(() -> {
            Connection holder = holder();
            lock(holder, lock("distributedid", counter.note(1)));
            return waits(
                    holder,
                    () -> isMade(session, new Write(0, null, new ToNote(counter, 1, 0))),
                    "UPDATE distributedid SET number = 7, version = '99-f00d' WHERE name = '" + counter.note(1) + "'");
        });

        assertThat(isDone).isFalse();
        assertThat(look(session, counter).notes()).isEqualTo(Map.of(1L, 7L));
    }

    @Test
    void aForeignLockOnOneCounterHoldsNoOther() throws SQLException {
        CounterSession session = session(SECOND);
        List<CounterKey> all = List.of(counter("photos"), counter("tags"), counter("users"));
        List<Draw> draws = new ArrayList<>();
        for (CounterKey each : all) {
            draws.add(draw(each, 10, created(session, each, 100).version()));
        }
        CounterKey locked = all.get(1);
        for (boolean isCounter : List.of(true, false)) {
            Connection holder = holder();
            if (isCounter) {
                lockCounter(holder, locked);
            } else {
                lockRow(holder, locked);
            }

            Map<CounterKey, Drawn> drawn = session.draw(draws);
            Drawn alone = drawn(session, draws.get(1));

            assertThat(drawn.get(locked)).isEqualTo(Drawn.LOCKED);
            assertThat(alone).isEqualTo(Drawn.LOCKED);
            assertThat(drawn).containsOnlyKeys(all);
            assertThat(drawn.values().stream().filter(each -> each.block() != null))
                    .hasSize(2);
            holder.rollback();
            Seen seen = look(session, locked);
            assertThat(seen.counter()).hasValue(100);
            assertThat(seen.row().number()).isEqualTo(100);
        }
        assertThat(session.draw(draws).values()).allMatch(each -> each.block() != null);
    }

    @Test
    void ofManyClientsOneCreates() throws Exception {
        List<CounterKey> all =
                IntStream.range(0, 20).mapToObj(each -> counter("new" + each)).toList();
        List<List<CounterKey>> created = Together.run(8, client -> {
            CounterSession session = session(SECOND);
            untilInTime(() -> session.look(all, true));
            List<CounterKey> mine = new ArrayList<>();
            Write first = new Write(0, null, new ToHeader(all.get(0), header(Version.first(token()))));
            if (untilInTime(() -> isMade(session, first))) {
                mine.add(new CounterKey(all.get(0).table(), "", ""));
            }
            for (CounterKey each : all) {
                Write create = create(each, 10, Map.of(1L, Seen.NOT_CREATED));
                if (untilInTime(() -> isMade(session, create))) {
                    mine.add(each);
                }
            }
            return mine;
        });

        List<CounterKey> by = created.stream().flatMap(List::stream).toList();
        assertThat(by).doesNotHaveDuplicates().hasSize(21);
        assertThat(session(SECOND).look(all, true).values()).allSatisfy(seen -> {
            assertThat(seen.counter()).hasValue(10);
            assertThat(seen.notes()).isEqualTo(Map.of(1L, Seen.NOT_CREATED));
        });
    }

    /** A command closes all: one that it missed would go on at the old place. */
    @Test
    protected void allCountersOfTheTableAreNamedAlsoThoseThatLostTheirRow() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey counter = counter("photos");
        created(session, counter, 100);
        created(session, counter("deleted"), 100);
        created(session(SECOND), new CounterKey(counter.table() + "x", "other", "other"), 100);
        delete(counter("deleted"));
        set(counter("plain"), 5);
        set(counter("photos@1"), 5);
        assertThat(isMade(
                        session,
                        to(
                                counter,
                                look(session, counter).row().version(),
                                row(look(session, counter).row().version().next(token()), 100),
                                OptionalLong.empty(),
                                Map.of(1L, 7L))))
                .isTrue();

        assertThat(session.counters(counter)).containsExactlyInAnyOrder(counter, counter("deleted"), counter("plain"));
    }

    /** Single draws and lists, in 8 threads, beside plain clients who know nothing of the ledger. */
    @Test
    void noIdIsGivenTwice() throws Exception {
        List<CounterKey> all = IntStream.range(0, 20)
                .mapToObj(each -> counter("hot" + (char) ('a' + each)))
                .toList();
        CounterSession first = session(SECOND);
        List<Draw> draws = new ArrayList<>();
        for (CounterKey each : all) {
            draws.add(draw(each, 3, created(first, each, 0).version()));
        }
        AtomicBoolean isOver = new AtomicBoolean();
        List<List<String>> given = Together.run(10, client -> {
            if (client >= 8) {
                return plain(all, isOver);
            }
            try {
                return drawn(draws, client);
            } finally {
                isOver.set(true);
            }
        });

        List<String> ids = given.stream().flatMap(List::stream).toList();
        assertThat(ids).hasSizeGreaterThan(1000).doesNotHaveDuplicates();
        assertThat(first.look(all, true).values())
                .allSatisfy(seen -> assertThat(seen.row().number())
                        .isPositive()
                        .matches(
                                each -> seen.isBlind() || each <= seen.counter().orElseThrow()));
    }

    private List<String> drawn(List<Draw> draws, int client) throws SQLException {
        CounterSession session = session(SECOND);
        List<String> ids = new ArrayList<>();
        for (int round = 0; round < 60; round++) {
            int from = ThreadLocalRandom.current().nextInt(draws.size());
            int to = client % 2 == 0 ? from + 1 : draws.size();
            Map<Long, Long> notes = Map.of(1L, (long) round);
            List<Draw> some = draws.subList(from, to).stream()
                    .map(each -> new Draw(
                            each.counter(), each.wanted(), each.version(), each.known(), each.furthest(), notes))
                    .toList();
            session.draw(some).forEach((counter, answer) -> {
                Block block = answer.block();
                assertThat(answer).isNotEqualTo(Drawn.REFUSED);
                for (long i = 0; block != null && i < block.count(); i++) {
                    ids.add(counter + " " + (block.first() + i * block.step()));
                }
            });
        }
        return ids;
    }

    private List<String> plain(List<CounterKey> all, AtomicBoolean isOver) throws SQLException {
        Connection connection = kept(connect());
        List<String> ids = new ArrayList<>();
        connection.setAutoCommit(false);
        while (!isOver.get()) {
            CounterKey counter = all.get(ThreadLocalRandom.current().nextInt(all.size()));
            ids.add(counter + " " + plainId(connection, counter));
            connection.commit();
        }
        return ids;
    }

    /** The last id of a row is that of its counter. */
    protected void assertWhole(Seen seen) {
        assertThat(seen.counter()).hasValue(seen.row().number());
    }

    /** While nobody else draws, a row and its counter agree, whenever somebody looks. */
    @Test
    void aLookSeesNoDrawByHalf() throws Exception {
        List<CounterKey> all = List.of(counter("photos"), counter("users"));
        CounterSession first = session(LONE);
        List<Draw> draws = new ArrayList<>();
        for (CounterKey each : all) {
            draws.add(draw(each, 3, created(first, each, 0).version()));
        }
        AtomicBoolean isOver = new AtomicBoolean();

        List<Integer> looks = Together.run(3, client -> {
            CounterSession session = session(LONE);
            int count = 0;
            try {
                while (client == 0 ? count < 200 : !isOver.get()) {
                    if (client == 0) {
                        assertThat(session.look(all, true).values()).allSatisfy(this::assertWhole);
                    } else {
                        assertThat(session.draw(client == 1 ? draws : draws.subList(1, 2)))
                                .doesNotContainValue(Drawn.REFUSED);
                    }
                    count++;
                }
            } finally {
                isOver.set(true);
            }
            return count;
        });

        assertThat(looks).allMatch(count -> count > 0);
    }

    @Test
    void theSessionIsAsItWasBefore() throws SQLException {
        Connection connection = kept(connect());
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        List<Long> before = limits(connection);
        CounterSession session = open(connection, LABEL, LONE, true);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 1);
        assertThat(drawn(session, draw(counter, 1, row.version())).block()).isNotNull();

        session.restore();

        assertThat(limits(connection)).isEqualTo(before);
        assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
        assertThat(connection.getAutoCommit()).isTrue();
    }

    /** What the session may have changed. */
    protected abstract String limit();

    private List<Long> limits(Connection connection) throws SQLException {
        return List.of(number(connection, limit()));
    }

    @Test
    void allSpellingsOfATableShareItsRows() throws SQLException {
        CounterKey counter = counter("photos");
        CounterSession session = session(LONE);
        CounterRow row = created(session, counter, 100);
        CounterKey same = new CounterKey(schema() + "." + counter.table(), counter.row(), "photos");

        assertThat(look(session, same).row()).isEqualTo(row);
        assertThat(drawn(session, draw(same, 1, row.version())).block()).isEqualTo(new Block(101, 1, 1));
    }

    /** In SQL. */
    protected abstract String schema();

    @Test
    void aNameThatDiffersOnlyInCaseIsRefused() throws SQLException {
        CounterKey counter = counter("photos");
        if (caselessType().isEmpty()) {
            return;
        }
        execute("CREATE TABLE " + counter.table() + " (name " + caselessType()
                + " NOT NULL PRIMARY KEY, id BIGINT NOT NULL)");
        CounterSession session = session(LONE);
        assertThat(isMade(session, create(counter, 100, Map.of()))).isTrue();
        CounterKey other = counter("Photos");
        String message = "A sequence's row has another spelling: table=" + counter.table() + " on " + LABEL
                + " name=photos sequences=[Photos]. Names that the table compares as equal must be spelt alike. Rename"
                + " the sequence, or the row: UPDATE " + counter.table()
                + " SET name = ... WHERE name = 'photos'";

        assertThatThrownBy(() -> look(session, other))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> isMade(session, create(other, 5, Map.of())))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(message);
        assertThat(look(session, counter).counter()).hasValue(100);
    }

    @Test
    protected void aMissingRightIsNamedWithItsGrant() throws SQLException {
        CounterKey counter = counter("photos");
        CounterSession session = session(LONE);
        CounterRow row = created(session, counter, 100);
        String user = "user_of_" + counter.table();
        for (String each : createUser(user)) {
            execute(each);
        }
        for (String table : List.of(counter.table(), "distributedid")) {
            execute("GRANT SELECT ON " + table + " TO " + user);
        }
        CounterSession reader = open(kept(connectAs(user)), LABEL, LONE, false);
        assertThat(reader.look(List.of(counter), false)).containsValue(look(session, counter));

        for (String table : List.of(counter.table(), "distributedid")) {
            for (String right : List.of("UPDATE", "INSERT")) {
                assertThatThrownBy(() -> look(open(kept(connectAs(user)), LABEL, LONE, false), counter))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageMatching("(?s)The (sequence table|ledger beside the ids) can't be used, because the"
                                + " user lacks a right: table=(\\w+\\.)?" + table + " on .*"
                                + "\\. GRANT SELECT, INSERT, UPDATE ON (\\w+\\.)?" + table + " to the user");
                execute("GRANT " + right + " ON " + table + " TO " + user);
            }
        }
        assertThat(drawn(open(kept(connectAs(user)), LABEL, LONE, false), draw(counter, 1, row.version()))
                        .block())
                .isNotNull();
    }

    /** For tables whose rights are not looked at before the first draw. */
    protected final void assertThatADrawNamesTheMissingRight() throws SQLException {
        CounterKey counter = counter("photos");
        CounterSession session = session(LONE);
        CounterRow row = created(session, counter, 100);
        String user = "user_of_" + counter.table();
        for (String each : createUser(user)) {
            execute(each);
        }
        execute("GRANT " + names().get(1) + " ON " + counter.table() + " TO " + user);
        execute("GRANT SELECT ON distributedid TO " + user);
        CounterSession reader = open(kept(connectAs(user)), LABEL, LONE, false);
        assertThat(look(reader, counter)).isEqualTo(look(session, counter));

        assertThatThrownBy(() -> drawn(reader, draw(counter, 1, row.version())))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "The ledger beside the ids can't be used, because the user lacks a right: table=")
                .hasMessageContaining(". GRANT SELECT, INSERT, UPDATE ON ");
        execute("GRANT INSERT, UPDATE ON distributedid TO " + user);
        assertThat(drawn(open(kept(connectAs(user)), LABEL, LONE, false), draw(counter, 1, row.version()))
                        .block())
                .isNotNull();
    }

    /** A move closes the source only after it has looked at the target. */
    @Test
    void twoNamesThatTheTableTakesForOneAreRefusedBeforeTheyAreThere() throws SQLException {
        CounterKey counter = counter("photos");
        List<CounterKey> two = List.of(counter, counter("Photos"));
        if (caselessType().isEmpty()) {
            assertThat(session(LONE).look(two, true)).hasSize(2);
            return;
        }
        execute("CREATE TABLE " + counter.table() + " (name " + caselessType()
                + " NOT NULL PRIMARY KEY, id BIGINT NOT NULL)");

        assertThatThrownBy(() -> session(LONE).look(two, true))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageMatching("Two sequences differ only in case, which the table ignores: table=(\\w+\\.)?"
                        + counter.table() + " on " + LABEL + " sequences=\\[Photos]. Rename one, or"
                        + " give the column name a collation that compares all characters");
        assertThat(session(LONE).look(two.subList(1, 2), true)).hasSize(1);
    }
}
