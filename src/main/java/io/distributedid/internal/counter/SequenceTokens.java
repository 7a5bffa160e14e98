package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * From which id space the sequences of a database of entities take their ids: the rows {@code @photos} of its
 * {@link RecordTable}. A sequence that takes its ids from another table or server than before, in a rolling deployment
 * for example, would give them twice. For one thread at a time.
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
     * Finds the record in a database of entities, or creates it. A user without the right to it is warned once.
     *
     * @param connection to the database
     * @param namespace the schema or catalog of its tables; empty for that of the connection
     * @param label names the database in messages
     * @return empty if there is none, which is logged
     * @throws SQLException if the database failed
     * @throws io.distributedid.IdConfigurationException if the database is none whose SQL is known
     */
    public static Optional<SequenceTokens> of(Connection connection, Optional<String> namespace, String label)
            throws SQLException {
        String beside = namespace.map(name -> name + ".").orElse("") + PREFIX;
        RecordTable record = RecordTable.beside(connection, DatabaseProduct.of(connection), beside, label);
        return record.create() ? Optional.of(new SequenceTokens(record, label)) : Optional.empty();
    }

    /**
     * Finds the record in a database of entities, or creates it.
     *
     * @param connection to the database
     * @param namespace the schema or catalog of its tables; empty for that of the connection
     * @return to be written to
     * @throws SQLException if the database failed
     * @throws IdConfigurationException if the user has no right to it
     */
    public static SequenceTokens require(Connection connection, Optional<String> namespace) throws SQLException {
        String label = JdbcUrl.label(connection.getMetaData().getURL());
        return of(connection, namespace, label)
                .orElseThrow(() -> new IdConfigurationException(
                        "The database of the entities must have a table to remember where its ids come from, and the user"
                                + " the rights to create or write it: " + label + " table=" + RecordTable.NAME
                                + ". GRANT CREATE, SELECT, INSERT, UPDATE on it"));
    }

    /**
     * Reads them all.
     *
     * @return the token of each sequence that took ids
     * @throws SQLException if the database failed
     */
    public Map<String, String> read() throws SQLException {
        return record.tokens(PREFIX);
    }

    /**
     * Writes the first token of a sequence.
     *
     * @param sequence its name, or that of its id space
     * @param token of its id space
     * @return the token that is there now: another if another application was faster
     * @throws SQLException if the database failed
     */
    public String add(String sequence, String token) throws SQLException {
        record.insertToken(PREFIX + sequence, token);
        return read().getOrDefault(sequence, token);
    }

    /**
     * Replaces the token of a sequence, when an operator says that it takes its ids from another id space now.
     *
     * @param sequence its name, or that of its id space
     * @param token of its id space
     * @throws SQLException if the database failed
     */
    public void put(String sequence, String token) throws SQLException {
        record.insertToken(PREFIX + sequence, token);
        record.updateToken(PREFIX + sequence, token);
    }

    /** Names the database. */
    @Override
    public String toString() {
        return label;
    }
}
