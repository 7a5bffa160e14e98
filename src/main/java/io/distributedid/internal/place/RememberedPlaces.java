package io.distributedid.internal.place;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the ids of sequences come from, as a database of entities remembers it: the row {@code @place/photos} of the
 * ledger there has the token of the id space that the sequence {@code photos} takes its ids from. A sequence that takes
 * them from another table or server than before, or from an empty copy, would give ids twice, for example in a rolling
 * deployment.
 *
 * <p>The rows may lie beside those of counters, whose names begin with that of a table. Rows are created and changed
 * one by one, each by its version, outside of a transaction. For one thread at a time.
 */
public final class RememberedPlaces {

    private static final Logger LOG = System.getLogger(RememberedPlaces.class.getName());

    /** The end of an error at start about existing ids: what to do in development, after a change of the backend. */
    public static final String RESET = ". For disposable data only: drop all tables of the entities' database,"
            + " including "
            + LedgerSql.NAME + ", which hibernate.hbm2ddl.auto=create keeps; or delete its file";

    private static final String PREFIX = "@place/";

    /** The most rows of one query. */
    private static final int ROWS = 1_000;

    /** How often missing rows are created. Each time that some are not, other applications have created some. */
    private static final int ATTEMPTS = 100;

    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private final Connection connection;

    private final Optional<String> namespace;

    private final String label;

    /**
     * An id space, as a database of entities remembers it.
     *
     * @param name under which a database of entities remembers it, see {@link io.distributedid.spi.Maintenance#idSpace}
     * @param token random and unique
     * @param isLeased whether worker numbers are leased there
     */
    public record IdSpace(String name, String token, boolean isLeased) {}

    /**
     * What a database of entities remembers. Reads nothing yet.
     *
     * @param namespace the schema or catalog of the tables; empty for that of the connection
     * @param label names the database in messages
     */
    public RememberedPlaces(Connection connection, Optional<String> namespace, String label) {
        this.connection = connection;
        this.namespace = namespace;
        this.label = label;
    }

    /**
     * Compares open sequences with the places that a database remembers, see {@link #check(Map)}. On a connection and a
     * thread of its own: the caller may be in a transaction.
     *
     * @param limit of connecting and of each answer
     * @throws IdUnavailableException if the database can't be read
     */
    public static void check(ConnectionAccess database, Duration limit, Map<String, IdSpace> spaces) {
        String what = "seq=" + String.join(",", spaces.keySet()) + ", " + database.label();
        try {
            LibraryThread.call(() -> {
                try (JdbcLink<?> link = JdbcLink.borrow(database, limit, limit)) {
                    new RememberedPlaces(link.connection(), database.namespace(), database.label()).check(spaces);
                }
                return what;
            });
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "Can't read from the application's database where a sequence was counted before: " + what
                            + " said: " + FailureText.of(e),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while asking the application's database: " + what, e);
        }
    }

    /**
     * Compares open sequences with the places that the database remembers, and lets it remember the others. If it
     * can't, logs a warning, once per process.
     *
     * @param spaces by the names of the sequences
     * @throws IdConfigurationException if a sequence takes its ids from another id space than before
     */
    public void check(Map<String, IdSpace> spaces) throws SQLException {
        if (!spaces.isEmpty()) {
            Map<String, String> tokens = new TreeMap<>();
            spaces.values().forEach(space -> tokens.put(PREFIX + space.name, space.token));
            Map<String, String> unused = ifAble(() -> known(tokens, known -> requireSame(spaces, known)), Map.of());
        }
    }

    /**
     * The token that is remembered under a name. If there is none, lets the database remember the given one. If it
     * can't, logs a warning, once per process, and returns the given one.
     */
    public Optional<String> remember(String name, Optional<String> token) throws SQLException {
        return ifAble(
                () -> token.isEmpty()
                        ? token(name)
                        : Optional.ofNullable(known(Map.of(PREFIX + name, token.get()), known -> {})
                                .get(PREFIX + name)),
                token);
    }

    @FunctionalInterface
    private interface Work<T> {
        T run() throws SQLException;
    }

    /** @param otherwise what to return after a warning */
    private <T> T ifAble(Work<T> work, T otherwise) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            // Writes on a connection from a pool may be lost without a commit.
            connection.setAutoCommit(true);
        }
        try {
            return work.run();
        } catch (IdConfigurationException | SQLException e) {
            if (!isUnable(e)) {
                throw e;
            }
            if (WARNED.add(label + " " + namespace)) {
                LOG.log(
                        Level.WARNING,
                        "The database of the entities can't remember where ids come from. A counter from another place"
                                + " will not be noticed. Create its table " + LedgerSql.NAME
                                + ", and GRANT SELECT, INSERT, UPDATE on it. " + label + " said: " + e.getMessage());
            }
            return otherwise;
        } finally {
            if (!autoCommit) {
                connection.setAutoCommit(false);
            }
        }
    }

    /** Whether the ledger is missing, the user lacks a right, the database takes no writes, or is none of ours. */
    private boolean isUnable(Exception e) throws SQLException {
        return (e instanceof SQLException ? e : e.getCause()) instanceof SQLException cause
                ? SqlErrors.isSyntaxOrAccess(cause) || SqlErrors.isReadOnly(cause)
                : DatabaseProduct.find(connection).isEmpty();
    }

    /**
     * The tokens of all these rows. Those that are missing are created with the given ones.
     *
     * @param check sees what is known before rows are created, and throws if it must not be
     */
    private Map<String, String> known(Map<String, String> tokens, Consumer<Map<String, String>> check)
            throws SQLException {
        Map<String, String> known = new TreeMap<>();
        Map<String, String> missing = new TreeMap<>(tokens);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            rows(missing.keySet()).forEach((name, row) -> known.put(name, token(row)));
            check.accept(known);
            missing.keySet().removeAll(known.keySet());
            if (!missing.isEmpty()) {
                List<Change> changes = missing.entrySet().stream()
                        .map(each -> change(each.getKey(), null, each.getValue()))
                        .toList();
                ledger().write(changes).forEach(name -> known.put(name, Objects.requireNonNull(missing.remove(name))));
            }
            if (missing.isEmpty()) {
                return known;
            }
        }
        throw new SQLException("Rows of the ledger can neither be read nor created: " + missing.keySet());
    }

    private void requireSame(Map<String, IdSpace> spaces, Map<String, String> tokens) {
        spaces.forEach((sequence, space) -> {
            String known = tokens.getOrDefault(PREFIX + space.name, space.token);
            if (!known.equals(space.token)) {
                throw new IdConfigurationException("A sequence takes its "
                        + (space.isLeased ? "worker numbers" : "ids") + " from a different place than before: seq="
                        + sequence + " token=" + space.token + ", but " + label + " holds ids of token=" + known
                        + (space.isLeased ? movedWorkers(sequence) : movedCounter(sequence)) + RESET
                        + (space.isLeased ? Pages.onCall("place-workers") : Pages.onCall("place")));
            }
        });
    }

    /** The token that is remembered for a sequence, or for its id space; empty if there is none. Changes nothing. */
    public Optional<String> token(String name) throws SQLException {
        return Optional.ofNullable(rows(Set.of(PREFIX + name)).get(PREFIX + name))
                .map(RememberedPlaces::token);
    }

    /**
     * Creates the table unless it is there.
     *
     * @throws IdConfigurationException if the user lacks the right
     */
    public void prepare() throws SQLException {
        SqlLedger unused = ledger();
    }

    /**
     * Lets sequences take their ids from another place, for an operator.
     *
     * @param name of the sequence, or of its id space
     * @param before the tokens of the old place
     * @param next the token of the new one
     * @param others whether also another sequence that comes from the old place
     * @throws IdUnavailableException if somebody else was faster
     */
    public void replace(String name, Set<String> before, String next, Predicate<String> others) throws SQLException {
        Set<String> names = new TreeSet<>(names());
        names.removeIf(each -> !others.test(each.substring(PREFIX.length())));
        names.add(PREFIX + name);
        Map<String, Row> found = rows(names);
        names.removeIf(each ->
                found.containsKey(each) ? !before.contains(token(found.get(each))) : !each.equals(PREFIX + name));
        List<Change> changes =
                names.stream().map(each -> change(each, found.get(each), next)).toList();
        names.removeAll(ledger().write(changes));
        names.add(PREFIX + name);
        Map<String, Row> now = rows(names);
        for (String each : names) {
            String token = token(now.get(each));
            if (!token.equals(next)) {
                throw new IdUnavailableException("Somebody else changed what a database remembers: " + label + " seq="
                        + each.substring(PREFIX.length()) + " token=" + token + ", new token=" + next
                        + ". Repeat the command when the other change has ended");
            }
        }
    }

    /** The names of all rows: which sequences share a ticket table is stored nowhere. */
    private Set<String> names() throws SQLException {
        Set<String> names = new TreeSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT name FROM " + sql().table() + " WHERE name LIKE '" + PREFIX + "%'")) {
            while (row.next()) {
                names.add(row.getString(1));
            }
        }
        return names;
    }

    /** The rows that are there; none if the table is missing. */
    private Map<String, Row> rows(Collection<String> names) throws SQLException {
        List<String> asked = List.copyOf(names);
        Map<String, Row> rows = new TreeMap<>();
        SqlLedger ledger = SqlLedger.unchecked(connection, sql(), label);
        try {
            for (int from = 0; from < asked.size(); from += ROWS) {
                rows.putAll(ledger.read(asked.subList(from, Math.min(asked.size(), from + ROWS)))
                        .rows());
            }
        } catch (SQLException e) {
            if (!SqlErrors.tableIsMissing(e)) {
                throw e;
            }
        }
        return rows;
    }

    /** The ledger, checked; created if it is missing. */
    private SqlLedger ledger() throws SQLException {
        return SqlLedger.open(connection, sql(), true, label);
    }

    private LedgerSql sql() throws SQLException {
        String table = namespace.map(name -> name + ".").orElse("") + LedgerSql.NAME;
        return new LedgerSql(DatabaseProduct.of(connection), table);
    }

    /** A row that is missing, or without a token, which only a change by hand leaves, is of another place. */
    private static String token(@Nullable Row row) {
        return row == null ? "none" : row.text().get(Fields.TOKEN).orElse("none");
    }

    /** Creates a row, or replaces its token. */
    private static Change change(String name, @Nullable Row row, String token) {
        String random = UUID.randomUUID().toString();
        return row == null
                ? Change.create(name, random, 0, Row.State.NONE, Fields.NONE.with(Fields.TOKEN, token))
                : Change.replace(row, random, 0, Row.State.NONE, row.text().with(Fields.TOKEN, token));
    }

    private static String movedCounter(String sequence) {
        return ". Check the settings of servers, schema and table. If the place has moved, stop the instances with the"
                + " old settings and run: distributedid move " + sequence
                + " --from OLD.properties --config NEW.properties --database URL; if the counters were lost, or the database is a copy:"
                + " distributedid move " + sequence + " --new-space --above <largest id in use> --database URL";
    }

    private static String movedWorkers(String sequence) {
        return ". Check the settings of snowflake.lease. If the ids came from another backend before, stop the"
                + " instances with the old settings and run: distributedid move " + sequence
                + " --from OLD.properties --config NEW.properties --database URL; if all instances were stopped, and their windows have ended,"
                + " or the database is a copy: distributedid move " + sequence + " --new-space --database URL";
    }
}
