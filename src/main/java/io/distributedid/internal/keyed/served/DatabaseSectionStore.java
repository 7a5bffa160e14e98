package io.distributedid.internal.keyed.served;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.keyed.row.SectionMark;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Sections in a database. All calls share one connection. */
final class DatabaseSectionStore implements SectionStore {

    private final DedicatedConnection<Session> database;

    private final String label;

    DatabaseSectionStore(ConnectionAccess access, Sections.Table table) {
        label = table.name() + " on " + access.label();
        database = new DedicatedConnection<>(
                access, table.timeout(), connection -> new Session(connection, table, access.label()));
    }

    /** A connection whose tables were checked. For one thread at a time. */
    private static final class Session implements DedicatedConnection.Session {

        private final Connection connection;

        private final SqlLedger ledger;

        private final SectionMark mark;

        private final String label;

        /** The sequences whose mark was found on this connection. */
        private final Set<String> marked = new HashSet<>();

        Session(Connection connection, Sections.Table table, String label) throws SQLException {
            this.connection = connection;
            this.label = label;
            LedgerSql sql = new LedgerSql(DatabaseProduct.of(connection), table.name());
            ledger = SqlLedger.open(connection, sql, table.create(), label);
            mark = table.mark();
            mark.requireTable(connection, label);
        }

        boolean isMarked(String sequence) throws SQLException {
            return marked.contains(sequence) || mark.isThere(connection, sequence);
        }

        void mark(String sequence) throws SQLException {
            if (!marked.contains(sequence)) {
                mark.require(connection, label, sequence);
                marked.add(sequence);
            }
        }
    }

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws SQLException, InterruptedException {
        return database.call(session -> session.ledger.read(names, isSynchronised));
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException, InterruptedException {
        return database.call(session -> session.ledger.write(changes));
    }

    @Override
    public boolean isMarked(String sequence) throws SQLException, InterruptedException {
        return database.call(session -> session.isMarked(sequence));
    }

    @Override
    public void mark(String sequence) throws SQLException, InterruptedException {
        Void unused = database.call(session -> {
            session.mark(sequence);
            return null;
        });
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public void stop() {
        database.stop();
    }

    @Override
    public void cut() {
        database.cut();
    }

    @Override
    public void abandon() {
        database.abandon();
    }

    @Override
    public void close() {
        database.close();
    }
}
