package io.distributedid.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.JdbcUrl;
import io.distributedid.internal.SqlStates;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.internal.counter.Claim;
import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.ServerIdentity;
import io.distributedid.internal.counter.Transactions;
import io.distributedid.internal.counter.Witness;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** One server's part in a {@link SequenceTableMove}. For one thread at a time. */
final class MoveServer {

    private final Connection connection;

    private final DatabaseProduct product;

    private final SequenceTableDialect dialect;

    private final String table;

    private final String label;

    MoveServer(Connection connection, String table) throws SQLException {
        connection.setAutoCommit(true);
        this.connection = connection;
        this.product = DatabaseProduct.of(connection);
        this.dialect = SequenceTableDialect.of(product);
        this.table = table;
        this.label = JdbcUrl.label(connection.getMetaData().getURL());
    }

    String label() {
        return label;
    }

    private RecordTable record() throws SQLException {
        return RecordTable.beside(connection, product, table, label);
    }

    Optional<Claim> claim() throws SQLException {
        return record().read("").claim();
    }

    /** The last id of each sequence; none if there is no table. */
    Map<String, Long> last() throws SQLException {
        Map<String, Long> last = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT name, id FROM " + table)) {
            while (row.next()) {
                last.put(row.getString(1), UnsignedColumn.read(row, 2));
            }
        } catch (SQLException e) {
            if (!SqlStates.tableIsMissing(e)) {
                throw e;
            }
        }
        return last;
    }

    /** The generation of a sequence here, and what is noted of a server. */
    RecordTable.Rows noted(String name) throws SQLException {
        RecordTable record = record();
        return record.read(record.key(name));
    }

    /** Two of the names that are one to this server's table; empty if there are none. */
    List<String> equalNames(Collection<String> names) throws SQLException {
        createTable();
        Map<String, String> bySmall = new TreeMap<>();
        for (String name : names) {
            String other = bySmall.put(name.toLowerCase(Locale.ROOT), name);
            if (other != null && areOne(other, name)) {
                return List.of(other, name);
            }
        }
        return List.of();
    }

    /** A UNION compares as its column does. */
    private boolean areOne(String first, String second) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT COUNT(*) FROM (SELECT name FROM " + table
                + " WHERE 1 = 0 UNION SELECT ? UNION SELECT ?) names")) {
            select.setString(1, first);
            select.setString(2, second);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1) == 1;
            }
        }
    }

    private void createTable() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.ddl(table));
        }
    }

    /** From now on nobody draws ids here. */
    void fence(String token, Numbering numbering) throws SQLException {
        createTable();
        RecordTable record = record();
        if (!record.create()) {
            throw new IdConfigurationException("A move needs the record beside the counters: " + label + " table="
                    + RecordTable.nameBeside(table) + ". Create it: " + RecordTable.ddl(product, table)
                    + "; and GRANT SELECT, INSERT, UPDATE on it");
        }
        Transactions.run(connection, () -> {
            record.lock(record.claimKey(), true);
            Claim old = record.read("").claim().orElse(new Claim(0, numbering, Claim.State.NEW, token));
            record.putClaim(old.next(old.numbering(), Claim.State.MOVING));
            record.fence();
            return old;
        });
    }

    /** Brings the counters here. Nobody draws ids yet. */
    void fill(Numbering numbering, Map<String, Long> last, Map<String, Long> generations, Set<String> retired)
            throws SQLException {
        RecordTable record = record();
        String identity = ServerIdentity.of(connection, product);
        Transactions.run(connection, () -> {
            record.lock(record.claimKey(), true);
            Claim old = record.read("").claim().orElseThrow();
            record.putClaim(old.next(numbering, Claim.State.READY));
            for (Map.Entry<String, Long> sequence : last.entrySet()) {
                long id = numbering.atLeast(sequence.getValue());
                raise(sequence.getKey(), id);
                String key = record.key(sequence.getKey());
                long generation = generations.get(sequence.getKey());
                record.putCounter(
                        key, new CounterRecord(generation, id, identity, retired.contains(sequence.getKey())));
                for (long offset = 1; offset <= numbering.increment(); offset++) {
                    long there = new Numbering(numbering.increment(), offset).atLeast(sequence.getValue());
                    record.putWitness(key, offset, new Witness(generation, there));
                }
            }
            return old;
        });
    }

    private void raise(String name, long id) throws SQLException {
        dialect.insert(connection, table, name, id);
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET id = ? WHERE name = ? AND id < ?")) {
            update.setLong(1, id);
            update.setString(2, name);
            update.setLong(3, id);
            update.executeUpdate();
        }
    }

    /** Changes the state of a claim that is in another. */
    void change(Claim.State from, Claim.State to) throws SQLException {
        RecordTable record = record();
        Transactions.run(connection, () -> {
            record.lock(record.claimKey(), true);
            Claim old = record.read("").claim().orElseThrow();
            if (old.state() == from) {
                record.putClaim(old.next(old.numbering(), to));
            }
            return old;
        });
    }
}
