package io.distributedid.internal.keyed.owner;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureStoreException;
import io.distributedid.spi.ConnectionAccess;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sections in a database table, see {@link SectionSql}. All calls share one connection. Each statement is one
 * transaction; writes are sent {@value #ROWS} rows a statement.
 */
final class JdbcSectionStore implements SectionStore {

    private static final int ROWS = 100;

    private final DedicatedConnection<SectionSession> database;

    private final String label;

    JdbcSectionStore(ConnectionAccess access, Sections.Table table) {
        label = table.name() + " on " + access.label();
        database = new DedicatedConnection<>(
                access, table.timeout(), connection -> new SectionSession(connection, table, access.label()));
    }

    @Override
    public Map<Integer, TenureRow> read(String sequence) throws TenureStoreException, InterruptedException {
        return call(session -> session.read(sequence));
    }

    @Override
    public void create(String sequence, Map<Integer, TenureRow> rows)
            throws TenureStoreException, InterruptedException {
        boolean unused = call(session -> session.insert(sequence, rows));
    }

    @Override
    public List<Boolean> write(String sequence, List<Write> writes) throws TenureStoreException, InterruptedException {
        List<Boolean> done = new ArrayList<>(Collections.nCopies(writes.size(), false));
        for (List<Integer> chunk : chunks(writes)) {
            List<Write> some = chunk.stream().map(writes::get).toList();
            if (call(session -> session.write(sequence, some))) {
                chunk.forEach(index -> done.set(index, true));
            }
        }
        return done;
    }

    /** Indexes of writes that share a statement: they set the same owner and lease, or insert a row. */
    private static List<List<Integer>> chunks(List<Write> writes) {
        record Kind(boolean isInsert, String owner, long lease) {}
        Map<Kind, List<Integer>> byKind = new LinkedHashMap<>();
        for (int i = 0; i < writes.size(); i++) {
            TenureRow next = writes.get(i).request().next();
            Kind kind = new Kind(writes.get(i).request().expected() == null, next.owner(), next.lease());
            byKind.computeIfAbsent(kind, key -> new ArrayList<>()).add(i);
        }
        List<List<Integer>> chunks = new ArrayList<>();
        for (List<Integer> all : byKind.values()) {
            for (int i = 0; i < all.size(); i += ROWS) {
                chunks.add(all.subList(i, Math.min(i + ROWS, all.size())));
            }
        }
        return chunks;
    }

    private <T> T call(DedicatedConnection.Work<SectionSession, T> work)
            throws TenureStoreException, InterruptedException {
        try {
            return database.call(work);
        } catch (SQLException e) {
            throw new TenureStoreException(label + " said: " + FailureText.of(e), e);
        }
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
