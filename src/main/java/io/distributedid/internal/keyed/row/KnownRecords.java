package io.distributedid.internal.keyed.row;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of the final {@link RowRecord}s of one sequence. All name the same first server, and none
 * changes. It lasts over suspends: an abandoned thread may still add to it, since what it has read was on the server.
 * Thread-safe.
 */
final class KnownRecords {

    /** The number of the first server; 0 before any record is known. */
    private final AtomicLong first = new AtomicLong();

    private final AtomicReferenceArray<@Nullable RowRecord> byServer;

    /** A record that differs from the known ones; null if no record does. */
    private volatile @Nullable RowRecord doubted;

    KnownRecords(int servers) {
        byServer = new AtomicReferenceArray<>(servers);
    }

    /** Remembers the final record of a server. Returns false, and doubts it, if it contradicts those that are known. */
    boolean accepts(RowRecord found) {
        int server = found.place() - 1;
        if (first.get() == 0) {
            first.compareAndSet(0, found.first());
        }
        if (byServer.get(server) == null && found.first() == first.get()) {
            byServer.compareAndSet(server, null, found);
        }
        boolean isAccepted = found.equals(byServer.get(server));
        if (!isAccepted) {
            doubted = found;
        }
        return isAccepted;
    }

    /** Whether a record, which need not be final, is another one than those that are known allow. */
    boolean contradict(RowRecord found) {
        RowRecord known = byServer.get(found.place() - 1);
        return known == null ? first.get() != 0 && found.first() != first.get() : !known.equals(found);
    }

    @Nullable
    RowRecord doubted() {
        return doubted;
    }

    /** The server of the doubted record has the one again that is known. */
    void trust() {
        doubted = null;
    }

    boolean isKnown(int server) {
        return byServer.get(server) != null;
    }

    /** The first of the servers whose record is known, but not this one; -1 if there is none. */
    int otherThan(int server) {
        for (int i = 0; i < byServer.length(); i++) {
            if (i != server && isKnown(i)) {
                return i;
            }
        }
        return -1;
    }
}
