package io.distributedid.internal.counter;

import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of one counter on its servers: the last id and generation of each, and which have lost ids.
 *
 * <p>Only this process hands back ids that it has drawn itself. Ids that it merely saw can be handed back by others,
 * under a newer generation. A server's place counts from 0. Thread-safe.
 */
final class CounterHistory {

    private static final class Server {

        /** The last id that this process drew. */
        private long lastHere;

        /** The generation of the blocks of this process; the next field is the first id that it drew under it. */
        private long generationHere;

        private long firstHere;

        /** The highest id seen; -1 if the server never answered. */
        private long highest = -1;

        /**
         * An id that the server may have reached, however far it lies ahead of the others; -1 before the first plan.
         */
        private long explained = -1;

        /** Whether the last look found it further ahead than is explained. */
        private boolean isRefused;

        /** The last id seen under the newest generation. */
        private long last;

        private long generation;

        private boolean wentBack;

        Server copy() {
            Server copy = new Server();
            copy.lastHere = lastHere;
            copy.generationHere = generationHere;
            copy.firstHere = firstHere;
            copy.highest = highest;
            copy.explained = explained;
            copy.isRefused = isRefused;
            copy.last = last;
            copy.generation = generation;
            copy.wentBack = wentBack;
            return copy;
        }
    }

    private final Server[] servers;

    private final DriftLimit driftLimit;

    private final Platform platform;

    private @Nullable String token;

    /**
     * Set once this process has raised a server that was replaced or had lost ids, or has raised one far. From then on,
     * other servers may lie far behind.
     */
    private boolean raised;

    CounterHistory(int count, DriftLimit driftLimit) {
        this(count, driftLimit, Platform.JVM);
    }

    CounterHistory(int count, DriftLimit driftLimit, Platform platform) {
        this.driftLimit = driftLimit;
        this.platform = platform;
        servers = new Server[count];
        for (int place = 0; place < count; place++) {
            servers[place] = new Server();
        }
    }

    /** A copy that a successor continues. */
    synchronized CounterHistory copy() {
        CounterHistory copy = new CounterHistory(servers.length, driftLimit, platform);
        for (int place = 0; place < servers.length; place++) {
            copy.servers[place] = servers[place].copy();
        }
        copy.token = token;
        copy.raised = raised;
        return copy;
    }

    /**
     * Judges a block, and remembers it if it is good. Call it in the order of the server's blocks.
     *
     * @return whether it may be handed out; if not, the server must be looked at first
     */
    synchronized boolean isGood(int place, Block block, long generation) {
        Server server = servers[place];
        if (block.first() <= lastKnown(place, generation)) {
            server.wentBack = true;
        }
        boolean isBehind = highest() - block.last() > driftLimit.max();
        if (server.wentBack || isBehind || block.last() > furthest(place)) {
            return false;
        }
        if (server.generationHere != generation || server.lastHere == 0) {
            server.generationHere = generation;
            server.firstHere = block.first();
        }
        server.lastHere = block.last();
        server.explained = Math.max(server.explained, block.last());
        accept(place, block.last(), generation);
        return true;
    }

    /**
     * The highest id that a server may give before it is looked at again. A server that goes on by itself may leave a
     * silent one far behind.
     */
    synchronized long furthest(int place) {
        long known = Math.max(highestOfOthers(place), servers[place].explained);
        return known < 0 || known > Long.MAX_VALUE - driftLimit.most() ? Long.MAX_VALUE : known + driftLimit.most();
    }

    /** Records a look that found no loss, or a good block. */
    synchronized void accept(int place, long last, long generation) {
        Server server = servers[place];
        raiseHighest(place, last);
        if (generation > server.generation || (generation == server.generation && last > server.last)) {
            server.last = last;
            server.generation = generation;
        }
    }

    /** Records an id that was seen. */
    synchronized void raiseHighest(int place, long last) {
        servers[place].highest = Math.max(servers[place].highest, last);
    }

    /** Records a look at a server that may have come so far. It is not judged yet. */
    synchronized void explain(int place, long last) {
        servers[place].explained = last;
        servers[place].isRefused = false;
        raiseHighest(place, last);
    }

    /** Records that a server lies too far above an id that it may have reached. Its last id is forgotten. */
    synchronized void refuse(int place, long explained) {
        servers[place].explained = explained;
        servers[place].isRefused = true;
    }

    /**
     * Records whether a server has lost ids that this process knows of. Call it before more ids are drawn from it. Only
     * this process hands back its own ids, so a counter below them has lost some. A replica that took the server's
     * place may lack some too, see {@link DriftLimit.Failover}; that is not recorded here.
     */
    synchronized void judge(Seen seen) {
        Server server = servers[seen.place()];
        if (seen.isOther() && driftLimit.failover() != DriftLimit.Failover.LOSSLESS) {
            return;
        }
        if (server.wentBack && seen.generation() > server.generation && !isBelow(seen, server.lastHere)) {
            // Another process has raised it meanwhile.
            server.wentBack = false;
        }
        boolean lost = isBelow(seen, server.lastHere)
                || seen.generation() < server.generation
                || (seen.generation() == server.generation && isBelowSeen(seen, server.last));
        server.wentBack |= lost;
    }

    /** Without a record, others may have handed back ids that were merely seen. That removes no row. */
    private static boolean isBelowSeen(Seen seen, long last) {
        return seen.generation() == 0 ? last > 0 && seen.last().isEmpty() : isBelow(seen, last);
    }

    /** Whether a server has lost ids and was not raised since. */
    synchronized boolean hasGoneBack(int place) {
        return servers[place].wentBack;
    }

    /** Whether a server lies below an id that it gave. A missing row lies below any id. */
    static boolean isBelow(Seen seen, long known) {
        long last = seen.lastOrZero();
        return known > 0 && (last == 0 || last < known - seen.slack());
    }

    /**
     * Records a raise: the server's next ids lie above all that any server gave. If {@code isFar}, the others may now
     * lie far behind.
     */
    synchronized void raised(int place, boolean isFar) {
        servers[place].wentBack = false;
        raised |= isFar;
    }

    /** Whether a server may lie far behind: it gave this process ids, or this process has raised another one. */
    synchronized boolean isExplained(int place) {
        return servers[place].lastHere > 0 || raised;
    }

    /** The last id that this process drew from a server; 0 if none. */
    synchronized long lastHere(int place) {
        return servers[place].lastHere;
    }

    /**
     * The last id that this process drew from a server, or saw on it under the generation of a record; 0 if none. As
     * long as that generation lasts, the next ids lie above.
     */
    synchronized long lastKnown(int place, long generation) {
        Server server = servers[place];
        boolean mayBeLower = generation == 0 || generation != server.generation;
        return mayBeLower ? server.lastHere : Math.max(server.lastHere, server.last);
    }

    /** Whether all ids of a block were drawn under the generation of the last draw. */
    synchronized boolean mayHandBack(int place, Block rest) {
        return servers[place].lastHere > 0 && rest.first() >= servers[place].firstHere;
    }

    synchronized long generation(int place) {
        return servers[place].generation;
    }

    synchronized long generationHere(int place) {
        return servers[place].generationHere;
    }

    /** Records that this process handed ids back, under a new generation. */
    synchronized void handedBack(int place, long last, long generation) {
        Server server = servers[place];
        server.lastHere = Math.min(server.lastHere, last);
        server.generationHere = generation;
        server.last = last;
        server.generation = generation;
    }

    /** What other servers record of this one; empty if it never answered. */
    synchronized Optional<Witness> witness(int place) {
        Server server = servers[place];
        return server.highest < 0 ? Optional.empty() : Optional.of(new Witness(server.generation, server.last));
    }

    /** The highest id seen on a server; 0 if none. */
    synchronized long highest(int place) {
        return Math.max(0, servers[place].highest);
    }

    /**
     * Whether a server lies unexplained so far ahead that its counter must be wrong: ahead of all others that answered,
     * or of its own record.
     */
    synchronized boolean isTooFarAhead(int place) {
        return servers[place].isRefused || isTooFarAhead(servers[place], highestOfOthers(place));
    }

    /** {@code others} is -1 if no other server answered. */
    private boolean isTooFarAhead(Server server, long others) {
        return others >= 0 && server.highest - Math.max(others, server.explained) > driftLimit.most();
    }

    /** The highest id seen on any server whose counter can be right; 0 if none. */
    synchronized long highest() {
        long highest = 0;
        for (int place = 0; place < servers.length; place++) {
            if (!isTooFarAhead(servers[place], highestOfOthers(place))) {
                highest = Math.max(highest, servers[place].highest);
            }
        }
        return highest;
    }

    /** The highest id seen on any other server whose counter can be right; -1 if none answered. */
    synchronized long highestOfOthers(int place) {
        Server highest = null;
        long second = -1;
        for (int other = 0; other < servers.length; other++) {
            Server each = servers[other];
            if (other == place) {
                continue;
            }
            if (highest == null || each.highest > highest.highest) {
                second = highest == null ? -1 : highest.highest;
                highest = each;
            } else {
                second = Math.max(second, each.highest);
            }
        }
        if (highest == null) {
            return -1;
        }
        return isTooFarAhead(highest, second) ? second : highest.highest;
    }

    /** The token of the id space: the first one seen. */
    synchronized Optional<String> token() {
        return Optional.ofNullable(token);
    }

    /** A random token for a new table of counters. */
    String newToken() {
        return platform.token();
    }

    synchronized void learn(String seenToken) {
        if (token == null) {
            // All counters of a table have the same one.
            token = seenToken.intern();
        }
    }
}
