package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Block;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a process knows of a sequence as long as it runs: its token, the largest existing ids, and what it was given
 * last. It outlives the servers and connections, which are new after the process was suspended: a store that went back
 * meanwhile is still noticed. Thread-safe.
 */
final class SequenceMemory {

    static final int BLOCKS_KEPT = 64;

    /** The first answer with or without a token. */
    private record First(String server, Optional<String> token) {}

    private record Given(Block block, String server) {}

    /** Where an id belongs. The step changes if the service gets another number of servers. */
    private record Counter(long step, long remainder) {}

    /** The existing ids of one call. Told apart by identity: each call ends its own. */
    static final class Existing {

        private final Map<Counter, Long> largest = new HashMap<>();

        private void add(Existing other) {
            other.largest.forEach((counter, id) -> largest.merge(counter, id, Math::max));
        }
    }

    /** For messages: {@code seq=photos}. */
    private final String about;

    // Guarded by this object.

    private @Nullable First first;

    private final Deque<Given> blocks = new ArrayDeque<>();

    private final Existing kept = new Existing();

    private final Set<Existing> underWay = new HashSet<>();

    private long lastStrict;

    /** Of a sequence of which nothing is known. */
    SequenceMemory(String sequence) {
        about = "seq=" + sequence;
    }

    /** The token of the id space; empty if there is none or no server has answered. */
    synchronized Optional<String> token() {
        return first == null ? Optional.empty() : first.token;
    }

    /**
     * Compares the token of an answer with that of the first one.
     *
     * @throws IdConfigurationException if they differ
     */
    synchronized void requireToken(String server, Optional<String> token) {
        if (first == null) {
            first = new First(server, token);
        }
        if (!first.token.equals(token)) {
            throw new IdConfigurationException("Servers of an issuing service give ids from different places: " + about
                    + ", " + server + " says " + text(token) + ", but " + first.server + " said "
                    + text(first.token) + ". Both would give the same ids. Check the backend, servers and tables in the"
                    + " settings of " + server + ", or remove it from " + RemoteBackendProvider.SERVERS
                    + Pages.onCall("service-places"));
        }
    }

    private static String text(Optional<String> token) {
        return token.map(each -> "token=" + each).orElse("that there is no token");
    }

    /**
     * Adds a block. Notices an answer that comes twice: from a cache between this process and the service, or from a
     * service whose store went back.
     *
     * @throws IdConfigurationException if ids of it are in one of the last {@value #BLOCKS_KEPT}
     */
    synchronized void requireNew(Block block, String server) {
        for (Given each : blocks) {
            if (overlap(each.block, block)) {
                throw new IdConfigurationException("An issuing service gave ids that it had given before: " + about
                        + ", " + server + " gave " + block + ", " + each.server + " had given " + each.block
                        + ". Nothing between this process and the service may cache answers. If its store was restored"
                        + " from a backup, repair it: distributedid repair SEQ"
                        + Pages.onCall("service-again"));
            }
        }
        blocks.addLast(new Given(block, server));
        if (blocks.size() > BLOCKS_KEPT) {
            blocks.removeFirst();
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

    /** Adds existing ids, which no server has compared yet. The caller ends the call at last. */
    synchronized Existing add(Collection<Long> ids, long step) {
        Existing call = new Existing();
        ids.forEach(id -> call.largest.merge(new Counter(step, Math.floorMod(id, step)), id, Math::max));
        underWay.add(call);
        return call;
    }

    /**
     * Ends a call. A later end of the same call does nothing.
     *
     * @param isKept whether each server compares its ids before it gives some; false if a server refused them
     */
    synchronized void end(Existing call, boolean isKept) {
        if (underWay.remove(call) && isKept) {
            kept.add(call);
        }
    }

    /** The largest existing id of each counter: each once, ascending. */
    synchronized List<Long> existing() {
        Existing all = new Existing();
        all.add(kept);
        underWay.forEach(all::add);
        return all.largest.values().stream().distinct().sorted().toList();
    }

    /** The largest id that came in strict order; 0 if none did. */
    synchronized long lastStrict() {
        return lastStrict;
    }

    synchronized void addStrict(long id) {
        lastStrict = Math.max(lastStrict, id);
    }
}
