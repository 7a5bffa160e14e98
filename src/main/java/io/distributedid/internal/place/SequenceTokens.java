package io.distributedid.internal.place;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The token of the id space that each sequence of a database of entities takes its ids from: the rows {@code @photos}
 * of its {@link RecordTable}. A sequence that takes its ids from another table or server than before, for example in a
 * rolling deployment, would give ids twice. For one thread at a time.
 */
public final class SequenceTokens {

    private static final String PREFIX = "@";

    private final RecordTable record;

    private final String label;

    private SequenceTokens(RecordTable record, String label) {
        this.record = record;
        this.label = label;
    }

    /**
     * Finds the record in a database of entities, or creates it. If the user has no right to it, returns empty and logs
     * a warning once.
     *
     * @param namespace the schema or catalog of the tables; empty for that of the connection
     * @param label names the database in messages
     * @throws IdConfigurationException if the product of the database is unknown
     */
    public static Optional<SequenceTokens> of(Connection connection, Optional<String> namespace, String label)
            throws SQLException {
        return find(connection, namespace, label, true);
    }

    /** As {@link #of}, but creates nothing: empty if the record is missing, too. */
    public static Optional<SequenceTokens> find(Connection connection, Optional<String> namespace, String label)
            throws SQLException {
        return find(connection, namespace, label, false);
    }

    private static Optional<SequenceTokens> find(
            Connection connection, Optional<String> namespace, String label, boolean create) throws SQLException {
        String schema = namespace.map(name -> name + ".").orElse("");
        return RecordTable.of(connection, DatabaseProduct.of(connection), schema, label, create)
                .map(record -> new SequenceTokens(record, label));
    }

    /**
     * As {@link #of}, but the record must be there.
     *
     * @throws IdConfigurationException if the user has no right to it
     */
    public static SequenceTokens require(Connection connection, Optional<String> namespace) throws SQLException {
        String label = JdbcUrl.label(connection.getMetaData().getURL());
        return of(connection, namespace, label)
                .orElseThrow(() -> new IdConfigurationException(
                        "The database of the entities must have a table to remember where its ids come from, and the"
                                + " user the rights to create or write it: " + label + " table=" + RecordTable.NAME
                                + ". GRANT CREATE, SELECT, INSERT, UPDATE on it"));
    }

    /** The tokens of all sequences that took ids, by the name of the sequence or of its id space. */
    public Map<String, String> read() throws SQLException {
        return record.tokens(PREFIX);
    }

    /**
     * Writes the first tokens of sequences, by sequence. Returns the tokens that are there now: others if another
     * application was faster.
     */
    public Map<String, String> add(Map<String, String> tokens) throws SQLException {
        Map<String, String> rows = new TreeMap<>();
        tokens.forEach((sequence, token) -> rows.put(PREFIX + sequence, token));
        record.insertTokens(rows);
        return read();
    }

    /**
     * Replaces the token of a sequence for an operator, if the one that was read is still there. Returns the token that
     * is there now: another one if somebody else was faster.
     *
     * @param before that {@link #read} returned; empty if there was none
     */
    public Optional<String> replace(String sequence, Optional<String> before, String token) throws SQLException {
        String key = PREFIX + sequence;
        if (before.isEmpty()) {
            record.insertToken(key, token);
        } else {
            record.replaceToken(key, before.get(), token);
        }
        return Optional.ofNullable(read().get(sequence));
    }

    /** The label of the database. */
    @Override
    public String toString() {
        return label;
    }
}
