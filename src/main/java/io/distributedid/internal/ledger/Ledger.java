package io.distributedid.internal.ledger;

import io.distributedid.internal.jdbc.DedicatedConnection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Rows beside the ids, in a database or another store, that hold what must outlive a process. Each row is changed by
 * compare-and-set on its {@link Version}. No change is conditional on another row: such a condition is no fence on most
 * servers. So a row's version alone keeps late changes from landing.
 *
 * <p><b>Whether a change was done.</b> A change is done if the row bears its version, which is random in part and so is
 * that of no other change. It is not done if the row has changed; or, in some stores, if another transaction holds the
 * row now. A change that was not done may still have been: the driver or a proxy sent it twice, and others have changed
 * the row since. A change without an answer, that is with an exception, may be on its way. Repeat it unchanged until it
 * is answered: a repeated change is reported as done if the first one was, and the row was not changed since. Read the
 * row before you ask for anything else.
 *
 * <p>A failure of the store is an {@link SQLException} here, also if it is no database.
 */
public interface Ledger extends DedicatedConnection.Session {

    /**
     * The row that describes a store of leases. Who creates the place of a ledger creates it in the state
     * {@link Row.State#NEW}: so an emptied ledger is told from one that never held anything.
     */
    String STORE = "@store";

    /** Reads what the server knows. */
    default Page read(Collection<String> names) throws SQLException {
        return read(names, false);
    }

    /**
     * Reads rows and the store's time, in one trip.
     *
     * @param names of rows that may be missing
     * @param isSynchronised whether the rows must be as they were at the call, or later. Otherwise a server of a
     *     cluster may not know yet what another one has answered: a loss that such a page shows is a doubt only
     * @throws io.distributedid.IdConfigurationException if a row has a format that this version does not know
     */
    Page read(Collection<String> names, boolean isSynchronised) throws SQLException;

    /**
     * Makes each change by itself, if its row's version is the expected one. In one or two trips if all are done and
     * all are of one kind: new rows, or changed ones.
     *
     * @param changes at most one for each name
     * @return the names of the rows that bear the version of their change now
     */
    Set<String> write(List<Change> changes) throws SQLException;
}
