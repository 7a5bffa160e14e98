package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.Durability;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The table {@code distributedid_record} beside the counters. A server keeps in it what it knows of its own counters
 * and of the servers that it shares the numbers with. With this record, a client can tell a new counter from a lost
 * one.
 *
 * <table>
 * <caption>Its rows</caption>
 * <tr><th>counter</th><th>server</th><th>holds</th></tr>
 * <tr><td>{@code sequence}</td><td>0</td><td>the {@link NumberingRecord} of a table:
 * numbering, state, token of the id space</td></tr>
 * <tr><td>{@code sequence/photos}</td><td>0</td><td>the {@link CounterRecord} of a counter: generation, floor
 * ({@code last_id}), identity of the server</td></tr>
 * <tr><td>{@code sequence/photos}</td><td>2</td><td>the {@link Witness} of the server with offset 2:
 * its last id</td></tr>
 * <tr><td>{@code @photos}</td><td>0</td><td>in the database of the entities: the token of the
 * sequence's id space</td></tr>
 * </table>
 *
 * <p>Lock order: the record's row, then the counter's row. A change compares the generation that the client knows, see
 * {@link Fence}. The class is long because it holds all SQL on the table. For one thread at a time.
 */
public final class RecordTable implements RecordStore {

    /** The name of the table, in the schema of the counters. */
    public static final String NAME = "distributedid_record";

    private static final Logger LOG = System.getLogger(RecordTable.class.getName());

    private static final String SELECT =
            "SELECT counter, server, generation, last_id, increment_by, offset_by, state, server_identity, token FROM ";

    private enum Access {
        /** The table was not there at the last look. */
        MISSING,
        GRANTED,
        DENIED
    }

    private static final int KEY_LENGTH = 120;

    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private final Connection connection;

    private final DatabaseProduct product;

    private final String table;

    private final String claimKey;

    private final String label;

    private Access access = Access.MISSING;

    private RecordTable(Connection connection, DatabaseProduct product, String table, String claimKey, String label) {
        this.connection = connection;
        this.product = product;
        this.table = table;
        this.claimKey = claimKey;
        this.label = label;
    }

    /** The DDL of the table in the schema of the table {@code beside}. It does nothing if the table is there. */
    public static String ddl(DatabaseProduct product, String beside) {
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        return "CREATE TABLE IF NOT EXISTS " + nameBeside(beside) + " (counter "
                + StoredText.type(product, KEY_LENGTH)
                + " NOT NULL, server INT NOT NULL, generation BIGINT NOT NULL, last_id BIGINT NOT NULL,"
                + " increment_by INT NOT NULL, offset_by INT NOT NULL, state VARCHAR(10) NOT NULL,"
                + " server_identity VARCHAR(120) NOT NULL, token VARCHAR(40) NOT NULL, PRIMARY KEY (counter, server))"
                + (isMySql ? " ENGINE=InnoDB" : "");
    }

    /** The table for a schema export, in the schema of the table {@code beside}. */
    public static SchemaObject schemaObject(DatabaseProduct product, String beside) {
        return new SchemaObject.Table(nameBeside(beside), name -> ddl(product, name));
    }

    /** The name of the table in SQL, in the schema of the table {@code beside}. */
    public static String nameBeside(String beside) {
        return beside.substring(0, beside.lastIndexOf('.') + 1) + NAME;
    }

    /** Looks for the table in the schema of the counters. It may be missing until {@link #create}. */
    public static RecordTable beside(Connection connection, DatabaseProduct product, String countersTable, String label)
            throws SQLException {
        String name = nameBeside(countersTable);
        RecordTable table =
                new RecordTable(connection, product, name, claimKey(connection, product, countersTable), label);
        table.look();
        return table;
    }

    /** The same table for the counters of another table in its schema. Does not ask the server. */
    public RecordTable of(String countersTable) throws SQLException {
        RecordTable other =
                new RecordTable(connection, product, table, claimKey(connection, product, countersTable), label);
        other.access = access;
        return other;
    }

    private void look() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB) {
                requireLocks();
            } else {
                statement.executeQuery(SELECT + table + " WHERE 1 = 0").close();
            }
            access = Access.GRANTED;
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                access = Access.MISSING;
            } else {
                deny(e);
            }
        }
    }

    /** In one trip: a MyISAM table keeps no row locks, so that a fence would be a check without a lock. */
    private void requireLocks() throws SQLException {
        int dot = table.lastIndexOf('.');
        try (PreparedStatement select = connection.prepareStatement("SELECT engine FROM information_schema.tables"
                + " WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND NOT EXISTS (" + SELECT + table
                + " WHERE 1 = 0)")) {
            select.setString(1, dot < 0 ? null : table.substring(0, dot));
            select.setString(2, table.substring(dot + 1));
            try (ResultSet row = select.executeQuery()) {
                String engine = row.next() ? row.getString(1) : null;
                if (engine != null && !engine.equalsIgnoreCase("InnoDB")) {
                    throw new IdConfigurationException("The table of the record must keep row locks: table=" + table
                            + " on " + label + " engine=" + engine + ", allowed: InnoDB. Change it: ALTER TABLE "
                            + table + " ENGINE=InnoDB");
                }
            }
        }
    }

    private void deny(SQLException e) throws SQLException {
        if (!SqlErrors.isSyntaxOrAccess(e)) {
            throw e;
        }
        access = Access.DENIED;
        if (WARNED.add(label + " " + table)) {
            LOG.log(Level.WARNING, "{0}. {1} said: {2}", missing(), label, e.getMessage());
        }
    }

    /**
     * Creates the table unless it is there, and returns whether it can be read. If the user lacks the right to create
     * or read it, logs a warning once per process.
     */
    @Override
    public boolean create() throws SQLException {
        if (access == Access.MISSING) {
            try (Statement statement = connection.createStatement()) {
                TableCheck.create(statement, ddl(product, table));
                look();
            } catch (SQLException e) {
                deny(e);
            }
        }
        return access == Access.GRANTED;
    }

    /** Whether the table is there and can be read. */
    @Override
    public boolean isThere() {
        return access == Access.GRANTED;
    }

    /** Whether the server has refused the user the right to create or read the table. False if it is only missing. */
    @Override
    public boolean isDenied() {
        return access == Access.DENIED;
    }

    @Override
    public boolean isStillDenied() throws SQLException {
        if (access == Access.DENIED) {
            look();
            if (access == Access.MISSING) {
                // The user may not create it.
                access = Access.DENIED;
            }
        }
        return access == Access.DENIED;
    }

    /** The message that the table is missing, with the consequences and the fix; without its full stop. */
    @Override
    public String missing() {
        return "The table " + table + " is missing on " + label
                + ", or the user has no right to it. Without it, clients do not notice"
                + " a failover to a replica, a restored backup, a server replaced by an empty one, or a client with"
                + " another numbering. Create it: " + ddl(product, table) + "; and GRANT SELECT, INSERT, UPDATE on it";
    }

    /** Gives all spellings that mean one table to the server one key. */
    private static String claimKey(Connection connection, DatabaseProduct product, String countersTable)
            throws SQLException {
        String name = countersTable.substring(countersTable.lastIndexOf('.') + 1);
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        return isMySql && connection.getMetaData().supportsMixedCaseIdentifiers()
                ? name
                : name.toLowerCase(Locale.ROOT);
    }

    /** The key of a counter's record. {@code counter} is spelt as in the counter's row. */
    @Override
    public String key(String counter) {
        return claimKey + "/" + counter;
    }

    /** The spelling of a counter's name in the record, whatever its case; {@code counter} if there is no record. */
    public String recordedName(String counter) throws SQLException {
        if (access != Access.GRANTED) {
            return counter;
        }
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT counter FROM " + table + " WHERE server = 0 AND LOWER(counter) = ?")) {
            select.setString(1, key(counter).toLowerCase(Locale.ROOT));
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1).substring(claimKey.length() + 1) : counter;
            }
        }
    }

    @Override
    public String claimKey() {
        return claimKey;
    }

    @Override
    public String table() {
        return table;
    }

    /** Reads the claim and all rows of a counter's key. */
    @Override
    public RecordRows read(String key) throws SQLException {
        Rows rows = new Rows();
        if (access == Access.MISSING) {
            // Another process may have created it since.
            look();
        }
        if (access != Access.GRANTED) {
            return RecordRows.NONE;
        }
        try (PreparedStatement select = connection.prepareStatement(SELECT + table + " WHERE counter IN (?, ?)")) {
            select.setString(1, claimKey);
            select.setString(2, key);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    rows.add(row, claimKey);
                }
            }
        }
        return rows.found();
    }

    /**
     * Reads the rows of several counters in one query, with the claims of their tables.
     *
     * @param claimKeys by the key of the counter
     * @return by the key of the counter
     */
    Map<String, RecordRows> read(Map<String, String> claimKeys) throws SQLException {
        Map<String, Rows> all = new HashMap<>();
        claimKeys.keySet().forEach(key -> all.put(key, new Rows()));
        if (access == Access.MISSING) {
            // Another process may have created it since.
            look();
        }
        if (access != Access.GRANTED) {
            return found(all);
        }
        Map<String, Rows> claims = new HashMap<>();
        claimKeys.values().forEach(key -> claims.put(key, new Rows()));
        Set<String> keys = new LinkedHashSet<>(claims.keySet());
        keys.addAll(all.keySet());
        try (PreparedStatement select =
                connection.prepareStatement(SELECT + table + " WHERE counter " + InList.of(keys.size()))) {
            InList.set(select, 0, keys);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    String key = row.getString(1);
                    Rows ofTable = claims.get(key);
                    Rows ofCounter = all.get(key);
                    if (ofTable != null) {
                        ofTable.add(row, key);
                    } else if (ofCounter != null) {
                        ofCounter.add(row, "");
                    }
                }
            }
        }
        claimKeys.forEach(
                (key, claimKey) -> requireNonNull(all.get(key)).claim = requireNonNull(claims.get(claimKey)).claim);
        return found(all);
    }

    private static Map<String, RecordRows> found(Map<String, Rows> all) {
        Map<String, RecordRows> found = new HashMap<>();
        all.forEach((key, rows) -> found.put(key, rows.found()));
        return found;
    }

    /** Those of the counters' names that the record spells differently, in lower case. Reads the whole table. */
    public Set<String> respelt(Collection<String> names) throws SQLException {
        Set<String> respelt = new HashSet<>();
        if (access != Access.GRANTED || names.isEmpty()) {
            return respelt;
        }
        Set<String> keys = names.stream().map(this::key).collect(Collectors.toSet());
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT counter FROM " + table + " WHERE server = 0 AND LOWER(counter) " + InList.of(keys.size()))) {
            InList.set(
                    select,
                    0,
                    keys.stream().map(key -> key.toLowerCase(Locale.ROOT)).toList());
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    String key = row.getString(1);
                    if (!keys.contains(key)) {
                        respelt.add(key.substring(claimKey.length() + 1).toLowerCase(Locale.ROOT));
                    }
                }
            }
        }
        return respelt;
    }

    /** The keys of all tables that are claimed with a numbering, in order. Empty if the record is not there. */
    @Override
    public List<String> claimed(Numbering numbering) throws SQLException {
        List<String> claimed = new ArrayList<>();
        if (access != Access.GRANTED) {
            return claimed;
        }
        try (PreparedStatement select = connection.prepareStatement("SELECT counter FROM " + table
                + " WHERE server = 0 AND increment_by = ? AND offset_by = ? AND state = 'OPEN' ORDER BY counter")) {
            select.setLong(1, numbering.increment());
            select.setLong(2, numbering.offset());
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    claimed.add(row.getString(1));
                }
            }
        }
        return claimed;
    }

    /** Reads the rows of all counters, by name. Empty if the table is not there. */
    public Map<String, RecordRows> readAll() throws SQLException {
        Map<String, Rows> all = new HashMap<>();
        if (access != Access.GRANTED) {
            return Map.of();
        }
        String prefix = key("");
        try (PreparedStatement select =
                connection.prepareStatement(SELECT + table + " WHERE LEFT(counter, " + prefix.length() + ") = ?")) {
            select.setString(1, prefix);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    String name = row.getString(1).substring(prefix.length());
                    all.computeIfAbsent(name, key -> new Rows()).add(row, claimKey);
                }
            }
        }
        return found(all);
    }

    /** The claim of the table, and the rows of one counter. */
    private static final class Rows {

        private Optional<NumberingRecord> claim = Optional.empty();

        private Optional<CounterRecord> counter = Optional.empty();

        private final Map<Long, Witness> witnesses = new HashMap<>();

        private void add(ResultSet row, String claimKey) throws SQLException {
            long server = row.getLong(2);
            if (row.getString(1).equals(claimKey)) {
                claim = Optional.of(new NumberingRecord(
                        row.getLong(3),
                        new Numbering(row.getLong(5), row.getLong(6)),
                        NumberingRecord.State.valueOf(row.getString(7)),
                        StoredText.read(row.getString(9))));
            } else if (server == 0) {
                counter = Optional.of(new CounterRecord(
                        row.getLong(3),
                        row.getLong(4),
                        StoredText.read(row.getString(8)),
                        row.getString(7).equals(NumberingRecord.State.RETIRED.name())));
            } else {
                witnesses.put(server, new Witness(row.getLong(3), row.getLong(4)));
            }
        }

        RecordRows found() {
            return new RecordRows(claim, counter, witnesses);
        }
    }

    @Override
    public Optional<NumberingRecord> lockClaim(boolean exclusive) throws SQLException {
        return lock(claimKey, exclusive).claim;
    }

    @Override
    public Optional<CounterRecord> lockCounter(String key) throws SQLException {
        return lock(key, true).counter;
    }

    /** Locks the record of a claim or a counter for the rest of the transaction. */
    private Rows lock(String key, boolean exclusive) throws SQLException {
        Rows rows = new Rows();
        try (PreparedStatement select = connection.prepareStatement(
                SELECT + table + " WHERE counter = ? AND server = 0" + durably() + lockClause(exclusive))) {
            select.setString(1, key);
            try (ResultSet row = select.executeQuery()) {
                if (row.next()) {
                    rows.add(row, claimKey);
                }
            }
        }
        return rows;
    }

    /** The table in a query that finds rows by the primary key, and must not read, and so lock, all rows. */
    String byPrimaryKey() {
        return switch (product) {
            case MYSQL, MARIADB -> table + " FORCE INDEX (PRIMARY)";
            case POSTGRESQL, H2 -> table;
        };
    }

    /** The end of the WHERE clause of a lock. It makes the commit of the transaction durable. */
    String durably() {
        return product == DatabaseProduct.POSTGRESQL ? Durability.OF_TRANSACTION : "";
    }

    String lockClause(boolean exclusive) {
        if (exclusive) {
            return " FOR UPDATE";
        }
        return switch (product) {
            case MYSQL, MARIADB -> " LOCK IN SHARE MODE";
            case POSTGRESQL -> " FOR SHARE";
            case H2 -> " FOR UPDATE";
        };
    }

    /** Inserts or replaces the claim. */
    @Override
    public void putClaim(NumberingRecord claim) throws SQLException {
        if (lockClaim(true).isEmpty()) {
            insertClaim(claim);
        } else {
            updateClaim(claim);
        }
    }

    /** Inserts or replaces the record of a counter. */
    @Override
    public void putCounter(String key, CounterRecord counter) throws SQLException {
        if (lockCounter(key).isEmpty()) {
            insertCounter(key, counter);
        } else {
            updateCounter(key, counter);
        }
    }

    /**
     * Waits for the draws that are under way, and raises the generation of all counters of the table. Clients that know
     * the old generations can draw no more.
     */
    @Override
    public void fence() throws SQLException {
        String prefix = claimKey + "/";
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table
                + " SET generation = generation + 1 WHERE server = 0 AND LEFT(counter, " + prefix.length() + ") = ?")) {
            update.setString(1, prefix);
            update.executeUpdate();
        }
    }

    @Override
    public void insertClaim(NumberingRecord claim) throws SQLException {
        insert(
                claimKey,
                0,
                claim.generation(),
                0,
                claim.numbering(),
                claim.state().name(),
                "",
                claim.token());
    }

    @Override
    public void insertCounter(String key, CounterRecord counter) throws SQLException {
        insert(key, 0, counter.generation(), counter.floor(), NO_NUMBERING, state(counter), counter.identity(), "");
    }

    /** Inserts or replaces what is known of the server with this offset. */
    @Override
    public void putWitness(String key, long offset, Witness witness) throws SQLException {
        if (update("generation = ?, last_id = ?", key, offset, witness.generation(), witness.last()) == 0) {
            insert(key, offset, witness.generation(), witness.last(), NO_NUMBERING, "", "", "");
        }
    }

    /** As above, with a token, which only {@link #witnessToken} reads. */
    @Override
    public void putWitness(String key, long offset, Witness witness, String token) throws SQLException {
        putWitness(key, offset, witness);
        update("token = ?", key, offset, token);
    }

    /** The token beside what is known of the server with this offset; empty if there is none. */
    @Override
    public String witnessToken(String key, long offset) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT token FROM " + table + " WHERE counter = ? AND server = ?")) {
            select.setString(1, key);
            select.setLong(2, offset);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? StoredText.read(row.getString(1)) : "";
            }
        }
    }

    private static final Numbering NO_NUMBERING = new Numbering(0, 0);

    private void insert(
            String key,
            long server,
            long generation,
            long lastId,
            Numbering numbering,
            String state,
            String identity,
            String token)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table
                + " (counter, server, generation, last_id, increment_by, offset_by, state, server_identity, token)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, key);
            insert.setLong(2, server);
            insert.setLong(3, generation);
            insert.setLong(4, lastId);
            insert.setLong(5, numbering.increment());
            insert.setLong(6, numbering.offset());
            insert.setString(7, StoredText.of(state));
            insert.setString(8, StoredText.of(identity));
            insert.setString(9, StoredText.of(token));
            insert.executeUpdate();
        }
    }

    @Override
    public void updateClaim(NumberingRecord claim) throws SQLException {
        update(
                "generation = ?, increment_by = ?, offset_by = ?, state = ?, token = ?",
                claimKey,
                0,
                claim.generation(),
                claim.numbering().increment(),
                claim.numbering().offset(),
                claim.state().name(),
                claim.token());
    }

    @Override
    public void updateCounter(String key, CounterRecord counter) throws SQLException {
        update(
                "generation = ?, last_id = GREATEST(last_id, ?), state = ?, server_identity = ?",
                key,
                0,
                counter.generation(),
                counter.floor(),
                state(counter),
                counter.identity());
    }

    private static String state(CounterRecord counter) {
        return counter.isRetired() ? NumberingRecord.State.RETIRED.name() : "";
    }

    /** The tokens of all keys that begin with a character, by the rest of the key. */
    Map<String, String> tokens(String prefix) throws SQLException {
        Map<String, String> tokens = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT counter, token FROM " + table + " WHERE server = 0 AND LEFT(counter, 1) = ?")) {
            select.setString(1, prefix);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    tokens.put(row.getString(1).substring(1), StoredText.read(row.getString(2)));
                }
            }
        }
        return tokens;
    }

    /** Inserts tokens by key; keeps those that are there. */
    void insertTokens(Map<String, String> tokens) throws SQLException {
        try {
            new RecordBatch(connection, this).insertTokens(tokens);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "Tokens are inserted one by one", e);
            for (Map.Entry<String, String> each : tokens.entrySet()) {
                insertToken(each.getKey(), each.getValue());
            }
        }
    }

    /** Inserts a token; keeps one that is there. */
    void insertToken(String key, String token) throws SQLException {
        try {
            insert(key, 0, 1, 0, NO_NUMBERING, "", "", token);
        } catch (SQLException e) {
            if (!SqlErrors.isDuplicateKey(e)) {
                throw e;
            }
        }
    }

    /** Replaces a token; keeps one that is not {@code before}. */
    void replaceToken(String key, String before, String token) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE " + table + " SET token = ? WHERE counter = ? AND server = 0 AND token = ?")) {
            update.setString(1, StoredText.of(token));
            update.setString(2, key);
            update.setString(3, StoredText.of(before));
            update.executeUpdate();
        }
    }

    /** Removes the permission to create the counter on a server, if it is still there. */
    @Override
    public void created(String key, long offset, Witness witness) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table
                + " SET generation = ?, last_id = ? WHERE counter = ? AND server = ? AND last_id = "
                + Witness.NOT_CREATED)) {
            update.setLong(1, witness.generation());
            update.setLong(2, witness.last());
            update.setString(3, key);
            update.setLong(4, offset);
            update.executeUpdate();
        }
    }

    /** Writes how far servers have come. */
    @Override
    public void write(WitnessNote note) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(note.sql("?"))) {
            update.setString(1, note.key());
            update.executeUpdate();
        }
    }

    private int update(String set, String key, long server, Object... values) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET " + set + " WHERE counter = ? AND server = ?")) {
            for (int i = 0; i < values.length; i++) {
                update.setObject(i + 1, values[i] instanceof String text ? StoredText.of(text) : values[i]);
            }
            update.setString(values.length + 1, key);
            update.setLong(values.length + 2, server);
            return update.executeUpdate();
        }
    }
}
