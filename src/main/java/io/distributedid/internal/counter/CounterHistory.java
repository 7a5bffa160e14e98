package io.distributedid.internal.counter;

import io.distributedid.spi.Block;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of one counter on its servers: how far each has come, under which generation, and which went
 * back.
 *
 * <p>Ids that this process has drawn can't have been handed back by anybody else. What it only heard of can, under a
 * newer generation. Servers are named by their place, from 0. Thread-safe.
 */
final class CounterHistory {

    /** What is known of one server. */
    private static final class Server {

        /** The last id of this process. */
        private long lastHere;

        /** The generation of its blocks, and the first id that it drew under it. */
        private long generationHere;

        private long firstHere;

        /** The highest id heard of; -1 if the server never answered. */
        private long highest = -1;

        /** The last that was heard of. */
        private long last;

        private long generation;

        private boolean wentBack;

        Server copy() {
            Server copy = new Server();
            copy.lastHere = lastHere;
            copy.generationHere = generationHere;
            copy.firstHere = firstHere;
            copy.highest = highest;
            copy.last = last;
            copy.generation = generation;
            copy.wentBack = wentBack;
            return copy;
        }
    }

    private final Server[] servers;

    private final DriftLimit distance;

    private @Nullable String token;

    /**
     * Set once this process has raised a server that was replaced or lost ids, or far: which explains that the others
     * lie behind.
     */
    private boolean raised;

    /**
     * Knows of no ids.
     *
     * @param count how many servers
     * @param distance how far one may lag behind another
     */
    CounterHistory(int count, DriftLimit distance) {
        this.distance = distance;
        servers = new Server[count];
        for (int place = 0; place < count; place++) {
            servers[place] = new Server();
        }
    }

    /** The same knowledge, to go on with. */
    synchronized CounterHistory copy() {
        CounterHistory copy = new CounterHistory(servers.length, distance);
        for (int place = 0; place < servers.length; place++) {
            copy.servers[place] = servers[place].copy();
        }
        copy.token = token;
        copy.raised = raised;
        return copy;
    }

    /**
     * Judges a block, and remembers a good one. To be called in the order of the server's blocks.
     *
     * @return whether it may be handed out; else the server must be looked at first
     */
    synchronized boolean isGood(int place, Block block, long generation) {
        Server server = servers[place];
        if (block.first() <= server.lastHere) {
            server.wentBack = true;
        }
        boolean isBehind = highest() - block.last() > distance.max();
        long others = highestOfOthers(place);
        boolean isAhead = others >= 0 && block.last() - others > distance.most();
        if (server.wentBack || isBehind || isAhead) {
            return false;
        }
        if (server.generationHere != generation || server.lastHere == 0) {
            server.generationHere = generation;
            server.firstHere = block.first();
        }
        server.lastHere = block.last();
        hear(place, block.last(), generation);
        return true;
    }

    /** A server was looked at, and nothing was lost there. */
    synchronized void hear(int place, long last, long generation) {
        Server server = servers[place];
        glimpse(place, last);
        if (generation > server.generation || (generation == server.generation && last > server.last)) {
            server.last = last;
            server.generation = generation;
        }
    }

    /** A server was looked at, and not judged yet. */
    synchronized void glimpse(int place, long last) {
        servers[place].highest = Math.max(servers[place].highest, last);
    }

    /**
     * A server was looked at: has it lost ids that this process knows of? To be called before any more are drawn from
     * it. Nobody but this process hands back its own. A replica that took its place may lack some, see
     * {@link DriftLimit.Failover}, and did not go back.
     */
    synchronized void judge(Seen seen) {
        Server server = servers[seen.place()];
        if (seen.isOther() && distance.failover() != DriftLimit.Failover.LOSSLESS) {
            return;
        }
        if (server.wentBack && seen.generation() > server.generation && !isBelow(seen, server.lastHere)) {
            // Somebody else has raised it meanwhile.
            server.wentBack = false;
        }
        boolean lost = isBelow(seen, server.lastHere)
                || seen.generation() < server.generation
                || (seen.generation() == server.generation && isBelow(seen, server.last));
        server.wentBack |= lost;
    }

    /** Whether a server has lost ids, and was not raised since. */
    synchronized boolean hasGoneBack(int place) {
        return servers[place].wentBack;
    }

    /** Whether a server lies below an id that it gave. A row that is gone lies below any. */
    static boolean isBelow(Seen seen, long known) {
        long last = seen.lastOrZero();
        return known > 0 && (last == 0 || last < known - seen.slack());
    }

    /**
     * The server was raised: what it gives from now on lies above all that any server gave, and the others may lie far
     * behind.
     */
    synchronized void raised(int place, boolean isFar) {
        servers[place].wentBack = false;
        raised |= isFar;
    }

    /**
     * Whether a server that lies far behind is no riddle: it gave this process ids, or this process raised the others.
     */
    synchronized boolean isExplained(int place) {
        return servers[place].lastHere > 0 || raised;
    }

    /** The last id that this process had from a server, 0 if none. */
    synchronized long lastHere(int place) {
        return servers[place].lastHere;
    }

    /** Whether ids were all drawn under the generation that the counter had when the last ones were. */
    synchronized boolean mayHandBack(int place, Block rest) {
        return servers[place].lastHere > 0 && rest.first() >= servers[place].firstHere;
    }

    synchronized long generation(int place) {
        return servers[place].generation;
    }

    synchronized long generationHere(int place) {
        return servers[place].generationHere;
    }

    /** This process handed ids back, under a new generation. */
    synchronized void handedBack(int place, long last, long generation) {
        Server server = servers[place];
        server.lastHere = Math.min(server.lastHere, last);
        server.generationHere = generation;
        server.last = last;
        server.generation = generation;
    }

    /** What there is to tell others of a server; empty if it never answered. */
    synchronized Optional<Witness> witness(int place) {
        Server server = servers[place];
        return server.highest < 0 ? Optional.empty() : Optional.of(new Witness(server.generation, server.last));
    }

    /** The highest id heard of, from one server; 0 if none. */
    synchronized long heard(int place) {
        return Math.max(0, servers[place].highest);
    }

    /** Whether a server lies so far ahead of all others that answer that its counter must be wrong. */
    synchronized boolean isTooFarAhead(int place) {
        long others = highestOfOthers(place);
        return others >= 0 && servers[place].highest - others > distance.most();
    }

    /** The highest id heard of, from any server whose counter can be right; 0 if none. */
    synchronized long highest() {
        long highest = 0;
        for (int place = 0; place < servers.length; place++) {
            if (!isTooFarAhead(place)) {
                highest = Math.max(highest, servers[place].highest);
            }
        }
        return highest;
    }

    /** The highest id heard of, from any other server whose counter can be right; -1 if none answered. */
    synchronized long highestOfOthers(int place) {
        long highest = -1;
        long second = -1;
        for (int other = 0; other < servers.length; other++) {
            long heard = other == place ? -1 : servers[other].highest;
            if (heard > highest) {
                second = highest;
                highest = heard;
            } else {
                second = Math.max(second, heard);
            }
        }
        boolean wrong = second >= 0 && highest - second > distance.most();
        return wrong ? second : highest;
    }

    /** The token of the id space; the first that is heard of is kept. */
    synchronized Optional<String> token() {
        return Optional.ofNullable(token);
    }

    synchronized void learn(String heardToken) {
        if (token == null) {
            token = heardToken;
        }
    }
}
