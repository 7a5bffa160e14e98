package io.distributedid.internal.keyed.served;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A store in memory, which can lose answers and delay requests. */
final class MemorySectionStore implements SectionStore {

    enum Fault {
        NONE,
        /** The requests are done, and the answer is lost. */
        LOST_ANSWER,
        /** The requests are not done, unless {@link #doDelayed} does them. */
        DELAYED
    }

    final ConcurrentHashMap<String, Row> rows = new ConcurrentHashMap<>();

    private final MemoryLedger ledger = new MemoryLedger(rows, () -> 0);

    final List<Change> delayed = new ArrayList<>();

    Fault fault = Fault.NONE;

    /** How many writes are done before the others are delayed. */
    int mostWrites = Integer.MAX_VALUE;

    /** The names of rows that a transaction holds. */
    final Set<String> locked = new HashSet<>();

    /** How many changes each call had, once a sequence has begun. */
    final List<Integer> calls = new ArrayList<>();

    boolean isMarked;

    /** Whether the numbers of the sequence are taken in another way. */
    boolean isRows;

    /** What a read waits for. */
    @FunctionalInterface
    interface Wait {

        void end() throws InterruptedException;
    }

    Wait beforeRead = () -> {};

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws InterruptedException {
        beforeRead.end();
        return ledger.read(names, isSynchronised);
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException {
        if (isMarked) {
            calls.add(changes.size());
        }
        if (fault == Fault.DELAYED || mostWrites-- <= 0) {
            delayed.addAll(changes);
            throw new SQLException("delayed");
        }
        Set<String> done = ledger.write(
                changes.stream().filter(each -> !locked.contains(each.name())).toList());
        if (fault == Fault.LOST_ANSWER) {
            throw new SQLException("lost");
        }
        return done;
    }

    void doDelayed() {
        Set<String> unused = ledger.write(delayed);
        delayed.clear();
    }

    @Override
    public boolean isMarked(String sequence) {
        if (isRows) {
            throw new IdConfigurationException("rows");
        }
        return isMarked;
    }

    @Override
    public void mark(String sequence) {
        isMarked = !isMarked(sequence) || isMarked;
    }

    Row section(int index) {
        return rows.get("@keyed/messages/" + index);
    }

    long owned(String owner) {
        return rows.values().stream()
                .filter(each -> each.name().matches("@keyed/messages/[0-9]+"))
                .filter(each -> LeaseProtocol.owner(each).equals(owner))
                .count();
    }

    @Override
    public String label() {
        return "memory";
    }

    @Override
    public void stop() {}

    @Override
    public void cut() {}

    @Override
    public void abandon() {}

    @Override
    public void close() {}
}
