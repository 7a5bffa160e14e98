package io.distributedid.maelstrom;

import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.io.IOException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * A ledger in one {@link Cell}, and so a store of leases: one text has all rows, a line for each, as in
 * {@code @worker/7 9-31aa 1763733600000 NONE owner=app1%20pid%2017}.
 *
 * <p>To change rows, it reads the text, compares the rows, and replaces the text. If another change came between, it
 * begins again: that other one may concern other rows. A request may also be delivered twice. Then the first is done,
 * and the answer may be that of the second, which was refused. The next round finds the change done.
 *
 * <p>The cell has no clock, so the time of the store is that of this process. Leases need no more: clocks decide which
 * window is asked for, and never whether it is granted.
 */
final class CellLedger implements Ledger, LeaseStore {

    private static final int MOST_ATTEMPTS = 100;

    private final Cell cell;

    private final InstantSource clock;

    CellLedger(Cell cell, InstantSource clock) {
        this.cell = cell;
        this.clock = clock;
    }

    /** What is done with the cell. */
    @FunctionalInterface
    private interface Call<T> {

        Optional<T> once() throws IOException, InterruptedException;
    }

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws SQLException {
        return repeated(() -> {
            Optional<String> text = cell.read();
            MemoryLedger rows = rows(text);
            return rows.rows().isEmpty() && !replaces(text, begin(rows))
                    ? Optional.empty()
                    : Optional.of(rows.read(names, isSynchronised));
        });
    }

    /** No cell was ever emptied, since the service loses nothing. So one without rows was never used. */
    private static MemoryLedger begin(MemoryLedger rows) {
        String token = UUID.randomUUID().toString();
        rows.write(List.of(Change.create(Ledger.STORE, token, 0, Row.State.NEW, Fields.NONE)));
        return rows;
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException {
        return repeated(() -> {
            Optional<String> text = cell.read();
            MemoryLedger rows = rows(text);
            Map<String, Row> before = Map.copyOf(rows.rows());
            Set<String> done = rows.write(changes);
            return rows.rows().equals(before) || replaces(text, rows) ? Optional.of(done) : Optional.empty();
        });
    }

    private boolean replaces(Optional<String> text, MemoryLedger rows) throws IOException, InterruptedException {
        return cell.compareAndSet(text, text(rows.rows()));
    }

    private <T> T repeated(Call<T> call) throws SQLException {
        try {
            for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
                Optional<T> result = call.once();
                if (result.isPresent()) {
                    return result.get();
                }
            }
        } catch (IOException e) {
            throw new SQLException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted at " + cell.label(), e);
        }
        throw new SQLException("Others were faster to change " + cell.label() + ", " + MOST_ATTEMPTS + " times");
    }

    private MemoryLedger rows(Optional<String> text) {
        return new MemoryLedger(
                text.stream()
                        .flatMap(String::lines)
                        .map(line -> line.split(" ", 5))
                        .map(parts -> Row.stored(parts[0], parts[1], Long.parseLong(parts[2]), parts[3], parts[4]))
                        .collect(
                                Collectors.toMap(Row::name, row -> row, (one, other) -> other, ConcurrentHashMap::new)),
                clock::millis);
    }

    private static String text(Map<String, Row> rows) {
        return new TreeMap<>(rows)
                .values().stream()
                        .map(row -> row.name() + " " + row.version() + " " + row.number() + " " + row.state() + " "
                                + StoredText.of(row.text().toString()))
                        .collect(Collectors.joining("\n"));
    }

    @Override
    public String server() {
        return "";
    }

    @Override
    public String label() {
        return cell.label();
    }

    @Override
    public void close() {
        // The cell belongs to the node.
    }
}
