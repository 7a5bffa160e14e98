package io.distributedid.internal.keyed.served;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.keyed.row.SectionMark;
import io.distributedid.internal.lease.LedgerLeaseStore;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** Sections in a database. All calls share one connection. */
final class DatabaseSectionStore extends LedgerLeaseStore<DatabaseSectionStore.Session> implements SectionStore {

    DatabaseSectionStore(ConnectionAccess access, Sections.Table table) {
        super(
                new JdbcLink.Source<>(access, connection -> open(connection, table, access.label())),
                Session::ledger,
                table.name() + " on " + access.label(),
                table.timeout());
    }

    private static Session open(Connection connection, Sections.Table table, String label) throws SQLException {
        LedgerSql sql = new LedgerSql(DatabaseProduct.of(connection), table.name());
        SqlLedger ledger =
                SqlLedger.open(connection, sql, table.create(), label).skippingLocked(1);
        table.mark().requireTable(connection, label);
        return new Session(ledger, table.mark(), label, new HashSet<>());
    }

    /**
     * A connection whose tables were checked.
     *
     * @param marked the sequences whose mark was found on it
     */
    record Session(SqlLedger ledger, SectionMark mark, String label, Set<String> marked)
            implements DedicatedConnection.Session {

        private boolean isMarked(String sequence) throws SQLException {
            return marked.contains(sequence) || mark.isThere(ledger.connection(), sequence);
        }

        private boolean mark(String sequence) throws SQLException {
            if (!marked.contains(sequence)) {
                mark.require(ledger.connection(), label, sequence);
            }
            return marked.add(sequence);
        }
    }

    @Override
    public boolean isMarked(String sequence) throws SQLException, InterruptedException {
        return call(session -> session.isMarked(sequence));
    }

    @Override
    public void mark(String sequence) throws SQLException, InterruptedException {
        boolean unused = call(session -> session.mark(sequence));
    }
}
