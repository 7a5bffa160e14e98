package io.distributedid.backend.sequencetable;

import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * How a product keeps a sequence table, and what is said of one that it does not keep. Implementations have no state.
 */
interface SequenceTableKeeping {

    /** What becomes of the rows. */
    enum Verdict {
        /** A crash leaves them. */
        KEPT,
        /** A crash empties the table, or takes back what was committed. */
        LOST,
        /** A view, a table of one session, or the like. */
        NO_TABLE
    }

    /**
     * What was found.
     *
     * @param value of {@link #property}
     * @param verdict what follows from it
     * @param uniqueNames whether a key makes each name unique
     */
    record Kept(String value, Verdict verdict, boolean uniqueNames) {}

    static SequenceTableKeeping of(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB -> new MySqlSequenceTableKeeping();
            case POSTGRESQL -> new PostgreSqlSequenceTableKeeping();
            case H2 -> new H2SequenceTableKeeping();
        };
    }

    /** Looks at a table that is there. */
    Kept read(Connection connection, String table) throws SQLException;

    /** The property of a table that says whether it is kept. */
    String property();

    /** The value of it that is allowed. */
    String allowed();

    /** The statement that gives a table the allowed value. */
    String keep(String table);

    /** The types of the column {@code id} that are allowed. */
    default String idTypes() {
        return "BIGINT, NUMERIC(19) or wider";
    }

    /** Whether a sum of decimals that does not fit is an error. */
    default boolean decimalsAreExact() {
        return true;
    }

    /** The statement that gives the column {@code id} an allowed type. */
    default String widen(String table) {
        return "ALTER TABLE " + table + " ALTER COLUMN id SET DATA TYPE BIGINT";
    }
}
