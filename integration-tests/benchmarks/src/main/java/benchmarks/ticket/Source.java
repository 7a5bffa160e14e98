package benchmarks.ticket;

import java.sql.SQLException;

/** Where one caller takes its ids; each caller has one. */
@FunctionalInterface
public interface Source {

    /** The next id. */
    long next() throws SQLException;

    /** How often the caller was told that its statement was the victim of a deadlock. */
    default long deadlocks() {
        return 0;
    }
}
