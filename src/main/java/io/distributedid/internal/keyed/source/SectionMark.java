package io.distributedid.internal.keyed.source;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Marks a sequence in a database as numbered from sections, so that no other way of numbering it begins there. It also
 * says that the rows of its sections were written. Calls are on a connection in autocommit mode, and throw
 * {@link io.distributedid.IdConfigurationException} if that can't be done. Thread-safe.
 */
public interface SectionMark {

    /**
     * Checks the table of marks, on a new connection.
     *
     * @param label of the database, for messages
     */
    void requireTable(Connection connection, String label) throws SQLException;

    /** Whether the mark of a sequence is there. Throws if its numbers are taken in another way. */
    boolean isThere(Connection connection, String sequence) throws SQLException;

    /** Writes the mark of a sequence unless it is there. Throws if its numbers are taken in another way. */
    void require(Connection connection, String label, String sequence) throws SQLException;
}
