package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Block;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last {@value #KEPT} blocks of a sequence, so that an answer that comes twice is noticed: from a cache between
 * this process and the service, or from a service whose store went back. Thread-safe.
 */
final class RecentBlocks {

    static final int KEPT = 64;

    private record Given(Block block, String server) {}

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private final Deque<Given> kept = new ArrayDeque<>();

    /**
     * Adds a block.
     *
     * @throws IdConfigurationException if ids of it came before
     */
    void add(String sequence, Block block, String server) {
        lock.lock();
        try {
            for (Given each : kept) {
                if (overlap(each.block, block)) {
                    throw new IdConfigurationException("An issuing service gave ids that it had given before: seq="
                            + sequence + ", " + server + " gave " + block + ", " + each.server + " had given "
                            + each.block + ". Nothing between this process and the service may keep answers. If its"
                            + " store was restored from a backup, repair it: distributedid repair");
                }
            }
            kept.addLast(new Given(block, server));
            if (kept.size() > KEPT) {
                kept.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Blocks of different steps count as distinct: the service may have got another number of servers. */
    private static boolean overlap(Block one, Block other) {
        boolean isSameStep = one.step() == other.step() || one.count() == 1 || other.count() == 1;
        long step = one.count() == 1 ? other.step() : one.step();
        return isSameStep
                && one.first() <= other.last()
                && other.first() <= one.last()
                && (one.first() - other.first()) % step == 0;
    }
}
