package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Page;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A store in memory, which fails while {@link #failure} is set. */
final class MemoryLeaseStore implements LeaseStore {

    private final MemoryLedger ledger;

    volatile String failure = "";

    /** Thrown by calls, though a store should not. */
    volatile @Nullable Throwable breaksWith;

    volatile @Nullable Thread caller;

    volatile boolean isClosed;

    volatile int calls;

    MemoryLeaseStore(MemoryLedger ledger) {
        this.ledger = ledger;
    }

    private void call() throws SQLException {
        calls++;
        caller = Thread.currentThread();
        Throwable broken = breaksWith;
        if (broken != null) {
            MemoryLeaseStore.<RuntimeException>sneak(broken);
        }
        if (!failure.isEmpty()) {
            throw new SQLException(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable e) throws T {
        throw (T) e;
    }

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws SQLException {
        call();
        return ledger.read(names, isSynchronised);
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException {
        call();
        return ledger.write(changes);
    }

    @Override
    public String server() {
        return "memory";
    }

    @Override
    public String label() {
        return "memory";
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
