package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.place.RememberedPlaces.IdSpace;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ledger in a database: locks, isolation, privileges, what others have stored; and places in it. */
public abstract class SqlLedgerContract extends LedgerContract {

    private static final String LABEL = "the server of the test";

    private static final int CLIENTS = 6;

    private final List<Connection> open = new ArrayList<>();

    /** A new connection in autocommit mode, to a database that only this class uses. */
    protected abstract Connection connect() throws SQLException;

    /** As above, with a user that {@link #createUser} has created. */
    protected abstract Connection connectAs(String user) throws SQLException;

    /** Statements that create a user who may connect, and has no right to any table. */
    protected abstract List<String> createUser(String user);

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

    protected final Connection connection() throws SQLException {
        return kept(connect());
    }

    protected final Connection kept(Connection connection) {
        synchronized (open) {
            open.add(connection);
        }
        return connection;
    }

    protected final SqlLedger ledger(Connection connection) throws SQLException {
        return SqlLedger.open(connection, sql(connection), true, LABEL);
    }

    protected static LedgerSql sql(Connection connection) throws SQLException {
        return new LedgerSql(DatabaseProduct.of(connection), LedgerSql.NAME);
    }

    @Override
    protected Ledger client() throws SQLException {
        return ledger(connection());
    }

    @Override
    protected void delete(String name) throws SQLException {
        execute("DELETE FROM " + LedgerSql.NAME + " WHERE name = '" + name + "'");
    }

    protected final void execute(String... all) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String each : all) {
                statement.execute(each);
            }
        }
    }

    @Test
    void aThousandRowsTakeOneTrip() throws SQLException {
        CountedTrips server = new CountedTrips(this::connect);
        SqlLedger ledger = ledger(kept(server.getConnection()));
        List<Change> created =
                IntStream.range(0, 1_000).mapToObj(i -> created(name(), i)).toList();
        List<String> unused = server.take();

        assertThat(ledger.write(created)).hasSize(1_000);
        assertThat(server.take()).hasSize(1);
        assertThat(ledger.write(created.stream()
                        .map(each -> changed(each.next(), 2_000))
                        .toList()))
                .hasSize(1_000);
        assertThat(server.take()).hasSize(1);
        assertThat(ledger.read(created.stream().map(Change::name).toList()).rows())
                .hasSize(1_000);
        assertThat(server.take()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void ofManyClientsOneMakesAChangeAtEachIsolation(int isolation) throws Exception {
        String name = name();
        Row before = row(client(), name, 0);

        List<List<String>> done = Together.run(4, client -> {
            Connection connection = connection();
            connection.setTransactionIsolation(isolation);
            return races(ledger(connection), List.of(name));
        });

        List<String> all = done.stream().flatMap(List::stream).toList();
        assertThat(all).isNotEmpty().doesNotHaveDuplicates();
        assertThat(read(client(), name).version().count())
                .isEqualTo(before.version().count() + all.size());
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aChangeThatWaitedSeesTheOneThatItWaitedFor(int isolation) throws Exception {
        Row row = row(client(), name(), 1);
        Connection holder = connection();
        SqlLedger first = ledger(holder);
        holder.setAutoCommit(false);
        assertThat(first.lock(List.of(row.name()))).containsExactly(row);
        Future<Set<String>> second = waits(isolation, changed(row, 3));

        assertThat(first.write(List.of(changed(row, 2)))).containsExactly(row.name());
        holder.commit();

        assertThat(second.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
        assertThat(read(client(), row.name()).number()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aChangeForgetsNoDrawThatItWaitedFor(int isolation) throws Exception {
        Row row = row(client(), name(), 100);
        Connection holder = connection();
        SqlLedger first = ledger(holder);
        holder.setAutoCommit(false);
        assertThat(first.lock(List.of(row.name()))).hasSize(1);
        Change close = Change.replace(row, token(), row.number(), Row.State.CLOSED, row.text());
        Future<Set<String>> second = waits(isolation, close);

        assertThat(first.raise(List.of(new Row(row.name(), row.version(), 150, row.state(), row.text()))))
                .isPositive();
        holder.commit();

        // A conflict is no more than a change that was not done.
        if (second.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS).isEmpty()) {
            assertThat(read(client(), row.name()).version()).isEqualTo(row.version());
            assertThat(client().write(List.of(close))).hasSize(1);
        }
        Row closed = read(client(), row.name());
        assertThat(closed.number()).isEqualTo(150);
        assertThat(closed.state()).isEqualTo(Row.State.CLOSED);
    }

    /** As a holder hands its number back while another process claims it. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aBoundIsNotLoweredThatAnotherHasRaisedMeanwhile(int isolation) throws Exception {
        Row row = row(client(), name(), 100);
        Connection holder = connection();
        SqlLedger first = ledger(holder);
        holder.setAutoCommit(false);
        assertThat(first.lock(List.of(row.name()))).hasSize(1);
        Future<Set<String>> second = waits(isolation, Change.lower(row, token(), 50, row.state(), Fields.NONE));

        assertThat(first.write(List.of(changed(row, 200)))).hasSize(1);
        holder.commit();

        assertThat(second.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
        assertThat(read(client(), row.name()).number()).isEqualTo(200);
    }

    /** Returns when a change waits that another connection makes. */
    protected final Future<Set<String>> waits(int isolation, Change change) throws SQLException {
        Connection connection = connection();
        connection.setTransactionIsolation(isolation);
        SqlLedger ledger = ledger(connection);
        FutureTask<Set<String>> task = new FutureTask<>(() -> ledger.write(List.of(change)));
        Thread thread = new Thread(task, "waits");
        thread.setDaemon(true);
        thread.start();
        Connection look = connection();
        // MySQL takes a new picture of its transactions only if nobody has looked for 100 ms.
        Await.every(
                Duration.ofMillis(200),
                Await.PATIENCE,
                "a change waits for the row",
                () -> task.isDone() || count(look, waiting()) > 0,
                () -> "");
        return task;
    }

    private static long count(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void aTransactionOfTheCallerDecides() throws SQLException {
        Connection connection = connection();
        SqlLedger ledger = ledger(connection);
        Row row = row(ledger, name(), 1);
        String created = name();
        connection.setAutoCommit(false);

        List<Change> both = List.of(changed(row, 2), created(created, 1));
        assertThat(ledger.write(both)).containsExactlyInAnyOrder(row.name(), created);
        assertThat(ledger.write(List.of(changed(row, 3)))).isEmpty();
        connection.rollback();

        assertThat(client().read(List.of(row.name(), created)).rows().values()).containsExactly(row);
    }

    @Test
    void rowsAreLockedInTheOrderOfTheirNames() throws SQLException {
        Connection connection = connection();
        SqlLedger ledger = ledger(connection);
        String first = name();
        List<String> names = List.of(first + "c", first + "a", first + "b");
        assertThat(ledger.write(names.stream().map(name -> created(name, 1)).toList()))
                .hasSize(3);
        connection.setAutoCommit(false);

        assertThat(ledger.lock(List.of(first + "c", first + "missing", first + "a", first + "b")))
                .extracting(Row::name)
                .containsExactly(first + "a", first + "b", first + "c");
        assertThat(ledger.lock(List.of())).isEmpty();
        connection.rollback();
    }

    /** A client that forgot to end its transaction. */
    @Test
    void forLeasesARowThatATransactionHoldsIsLeftOutAndStopsNoOther() throws SQLException {
        Connection holder = connection();
        SqlLedger first = ledger(holder);
        Row held = row(first, name(), 1);
        Row free = row(first, name(), 1);
        holder.setAutoCommit(false);
        assertThat(first.lock(List.of(held.name()))).hasSize(1);
        SqlLedger second = ledger(connection()).skippingLocked(2);
        List<Change> both = List.of(changed(held, 2), changed(free, 2));

        assertThat(second.write(both)).containsExactly(free.name());
        assertThat(read(second, held.name())).isEqualTo(held);
        holder.rollback();
        assertThat(second.write(both)).containsExactlyInAnyOrder(held.name(), free.name());
        assertThat(second.write(List.of(changed(held, 3))))
                .as("another version")
                .isEmpty();
    }

    /** Two processes claim a row at once: the second is to find that it was claimed, not that it is locked. */
    @Test
    void forLeasesAChangeThatIsAloneWaitsItsTurn() throws Exception {
        Connection holder = connection();
        SqlLedger first = ledger(holder);
        Row row = row(first, name(), 1);
        SqlLedger second = ledger(connection()).skippingLocked(2);
        holder.setAutoCommit(false);
        assertThat(first.write(List.of(changed(row, 2)))).hasSize(1);
        CompletableFuture<Set<String>> written = CompletableFuture.supplyAsync(() -> {
            try {
                return second.write(List.of(changed(row, 3)));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(() -> written.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        holder.commit();

        assertThat(written.get(10, TimeUnit.SECONDS)).isEmpty();
        assertThat(read(second, row.name()).number()).isEqualTo(2);
    }

    @Test
    void manyClientsCreateTheTable() throws Exception {
        LedgerSql table = new LedgerSql(DatabaseProduct.of(connection()), "ledger_of_many");

        List<Integer> rows = Together.run(4, client -> {
            SqlLedger ledger = SqlLedger.open(connection(), table, true, LABEL);
            return ledger.write(List.of(created(name(), client))).size();
        });

        assertThat(rows).containsOnly(1);
    }

    @Test
    void aNumberIsRaisedUnderTheSameVersion() throws SQLException {
        SqlLedger ledger = ledger(connection());
        Row row = row(ledger, name(), 7);
        Row other = created(name(), 5).next();

        assertThat(ledger.raise(List.of(other, new Row(row.name(), other.version(), 6, Row.State.NONE, Fields.NONE))))
                .isPositive();
        assertThat(read(ledger, row.name())).isEqualTo(row);
        assertThat(read(ledger, other.name())).isEqualTo(other);
        assertThat(ledger.raise(List.of(new Row(row.name(), other.version(), 8, Row.State.NONE, Fields.NONE))))
                .isPositive();
        assertThat(ledger.raise(List.of())).isZero();

        assertThat(read(ledger, row.name())).isEqualTo(new Row(row.name(), row.version(), 8, row.state(), row.text()));
    }

    @Test
    void aMissingTableIsRefusedWithItsDdlWhichCanBeRunAgain() throws SQLException {
        LedgerSql table = new LedgerSql(DatabaseProduct.of(connection()), "ledger_missing");

        assertThatThrownBy(() -> SqlLedger.open(connection(), table, false, LABEL))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The ledger beside the ids is missing: table=ledger_missing on " + LABEL
                        + ". Create it: " + table.ddl() + "; or let Hibernate create it");

        execute(table.ddl(), table.ddl(), table.schemaObject().createSql());
        SqlLedger ledger = SqlLedger.open(connection(), table, false, LABEL);
        assertThat(row(ledger, name(), 1).number()).isEqualTo(1);
        assertThat(read(ledger, Ledger.STORE).state()).isEqualTo(Row.State.NEW);

        execute("DELETE FROM ledger_missing", table.ddl());
        assertThat(ledger.read(List.of(Ledger.STORE)).rows())
                .as("an emptied ledger is none that was never used")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text = 'token=7f3a format=2' | text: row=%s text=token=7f3a format=2, allowed: format=1. Use the",
                "text = 'as before' | text: row=%s text=as before, allowed: fields as in token=7f3a, each once. Use",
                "state = 'PAUSED' | state: row=%s state=PAUSED, allowed: [NONE, NEW, OPEN, MADE, CLOSED, LOST, MOVED]. Use",
                "version = '7' | version: row=%s version=7, allowed: a count and a random text, as in 17-a01f. Use"
            })
    void whatALaterVersionOrAnOperatorWroteIsRefused(String example) throws SQLException {
        String[] parts = example.split(" \\| ", 2);
        SqlLedger ledger = ledger(connection());
        String name = row(ledger, name(), 1).name();
        execute("UPDATE " + LedgerSql.NAME + " SET " + parts[0] + " WHERE name = '" + name + "'");

        assertThatThrownBy(() -> ledger.read(List.of(name)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A row of the ledger has an unknown " + String.format(parts[1], name));
    }

    @Test
    void aTableThatDoesNotTellCasesApartIsRefused() throws SQLException {
        if (caselessType().isEmpty()) {
            return;
        }
        LedgerSql table = new LedgerSql(DatabaseProduct.of(connection()), "ledger_caseless");
        execute("CREATE TABLE ledger_caseless (name " + caselessType() + " NOT NULL PRIMARY KEY, version VARCHAR(40),"
                + " number BIGINT, state VARCHAR(10), text VARCHAR(2000))");

        assertThatThrownBy(() -> SqlLedger.open(connection(), table, false, LABEL))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The ledger does not tell names apart: table=ledger_caseless on " + LABEL
                        + ". The collation of its text columns must compare all characters, as in: " + table.ddl());
    }

    @Test
    void aMissingRightIsNamedWithItsGrant() throws SQLException {
        Row row = row(client(), name(), 1);
        createUser("ledger_reader").forEach(this::executed);
        executed("GRANT SELECT ON " + LedgerSql.NAME + " TO ledger_reader");
        SqlLedger reader = ledger(kept(connectAs("ledger_reader")));
        assertThat(read(reader, row.name())).isEqualTo(row);

        for (Change change : List.of(changed(row, 2), created(name(), 1))) {
            assertThatThrownBy(() -> reader.write(List.of(change)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("The ledger beside the ids can't be used, because the user lacks a right:"
                            + " table=distributedid on " + LABEL + ". The server said: ")
                    .hasMessageEndingWith(". GRANT SELECT, INSERT, UPDATE ON distributedid to the user");
        }
        assertThat(read(client(), row.name())).isEqualTo(row);
    }

    @Test
    void aUserWithoutRightsIsRefusedAtTheStart() throws SQLException {
        Ledger created = client();
        assertThat(created.read(List.of()).rows()).isEmpty();
        createUser("ledger_nobody").forEach(this::executed);
        Connection connection = kept(connectAs("ledger_nobody"));

        assertThatThrownBy(() -> ledger(connection))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("GRANT SELECT, INSERT, UPDATE ON distributedid to the user");
    }

    /** As a pool lends it: what is not committed is lost. */
    @Test
    void aStartRemembersPlacesOutsideOfTheTransactionOfItsConnection() throws SQLException {
        execute("DROP TABLE IF EXISTS " + LedgerSql.NAME);
        Connection connection = connection();
        connection.setAutoCommit(false);

        remember(connection, "a", "photos", "Photos", "PHOTOS");
        remember(connection, "a", "photos", "people");
        assertThat(connection.getAutoCommit()).isFalse();
        connection.rollback();

        RememberedPlaces places = new RememberedPlaces(connection(), Optional.empty(), LABEL);
        for (String name : List.of("photos", "Photos", "PHOTOS", "people")) {
            assertThat(places.token(name)).contains("a");
        }
        assertThat(places.token("People")).isEmpty();
        assertThatThrownBy(() -> remember(connection, "b", "users", "PHOTOS"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("seq=PHOTOS token=b, but " + LABEL + " holds ids of token=a");
        assertThat(places.token("users")).isEmpty();
        places.replace("PHOTOS", Set.of("a"), "b", other -> false);
        remember(connection, "b", "users", "PHOTOS");
        places.replace("users", Set.of("b", "a"), "c", other -> true);
        remember(connection, "c", "photos", "Photos", "PHOTOS", "people", "users");
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_SERIALIZABLE})
    void manyStartsAtOnceRememberTheirPlaces(int isolation) throws Exception {
        List<Set<String>> all = Together.run(CLIENTS, client -> {
            Connection connection = connection();
            connection.setTransactionIsolation(isolation);
            Set<String> names = new TreeSet<>();
            for (int start = 0; start < 10; start++) {
                for (int name = 0; name < 5; name++) {
                    names.add("s" + isolation + "_" + start + "_" + (client + name));
                }
                remember(connection, "a", names.toArray(String[]::new));
            }
            return names;
        });

        RememberedPlaces places = new RememberedPlaces(connection(), Optional.empty(), LABEL);
        for (String name : all.stream().flatMap(Set::stream).distinct().toList()) {
            assertThat(places.token(name)).contains("a");
        }
    }

    @Test
    void aUserWhoMayOnlyReadIsWarnedOnceThatPlacesAreNotRemembered() throws SQLException {
        remember(connection(), "a", "albums");
        createUser("place_reader").forEach(this::executed);
        executed("GRANT SELECT ON " + LedgerSql.NAME + " TO place_reader");
        Connection reader = kept(connectAs("place_reader"));
        String label = name();
        try (LoggedWarnings warnings = LoggedWarnings.of(RememberedPlaces.class)) {
            for (int start = 0; start < 2; start++) {
                new RememberedPlaces(reader, Optional.empty(), label).check(spaces("a", "albums", "tags"));
            }
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .startsWith("The database of the entities can't remember where ids come from.")
                    .endsWith(". GRANT SELECT, INSERT, UPDATE ON distributedid to the user");
        }
        assertThat(new RememberedPlaces(reader, Optional.empty(), label).token("tags"))
                .isEmpty();
        assertThatThrownBy(() -> new RememberedPlaces(reader, Optional.empty(), label).check(spaces("b", "albums")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("holds ids of token=a");
    }

    private static void remember(Connection connection, String token, String... names) throws SQLException {
        new RememberedPlaces(connection, Optional.empty(), LABEL).check(spaces(token, names));
    }

    protected static Map<String, IdSpace> spaces(String token, String... names) {
        return Stream.of(names).collect(Collectors.toMap(name -> name, name -> new IdSpace(name, token, false)));
    }

    private void executed(String sql) {
        try {
            execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
