package io.distributedid.internal.counter;

import io.distributedid.spi.Block;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of one counter on its servers: how far each has come, under which generation, and which went back.
 *
 * <p>Ids that this process has drawn can't have been handed back by anybody else. What it only heard of can, under a newer generation.
 * Servers are named by their place, from 0. Thread-safe.
 */
final class Sides {

    /** What is known of one server. */
    private static final class Side {

        /** The last id of this process. */
        private long own;

        /** The generation of its blocks, and the first id that it drew under it. */
        private long ownGeneration;

        private long ownSince;

        /** The highest id heard of; -1 if the server never answered. */
        private long highest = -1;

        /** The last that was heard of. */
        private long last;

        private long generation;

        private boolean wentBack;

        Side copy() {
            Side copy = new Side();
            copy.own = own;
            copy.ownGeneration = ownGeneration;
            copy.ownSince = ownSince;
            copy.highest = highest;
            copy.last = last;
            copy.generation = generation;
            copy.wentBack = wentBack;
            return copy;
        }
    }

    private final Side[] sides;

    private final Distance distance;

    private @Nullable String token;

    /** Set once this process has raised a server that was replaced or lost ids, or far: which explains that the others lie behind. */
    private boolean raised;

    /**
     * Knows of no ids.
     *
     * @param servers how many
     * @param distance how far one may lag behind another
     */
    Sides(int servers, Distance distance) {
        this.distance = distance;
        sides = new Side[servers];
        for (int place = 0; place < servers; place++) {
            sides[place] = new Side();
        }
    }

    /** The same knowledge, to go on with. */
    synchronized Sides copy() {
        Sides copy = new Sides(sides.length, distance);
        for (int place = 0; place < sides.length; place++) {
            copy.sides[place] = sides[place].copy();
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
        Side side = sides[place];
        if (block.first() <= side.own) {
            side.wentBack = true;
        }
        boolean isBehind = highest() - block.last() > distance.max();
        long others = highestOfOthers(place);
        boolean isAhead = others >= 0 && block.last() - others > distance.most();
        if (side.wentBack || isBehind || isAhead) {
            return false;
        }
        if (side.ownGeneration != generation || side.own == 0) {
            side.ownGeneration = generation;
            side.ownSince = block.first();
        }
        side.own = block.last();
        hear(place, block.last(), generation);
        return true;
    }

    /** A server was looked at, and nothing was lost there. */
    synchronized void hear(int place, long last, long generation) {
        Side side = sides[place];
        glimpse(place, last);
        if (generation > side.generation || (generation == side.generation && last > side.last)) {
            side.last = last;
            side.generation = generation;
        }
    }

    /** A server was looked at, and not judged yet. */
    synchronized void glimpse(int place, long last) {
        sides[place].highest = Math.max(sides[place].highest, last);
    }

    /**
     * A server was looked at: has it lost ids that this process knows of? To be called before any more are drawn from it. Nobody but this process
     * hands back its own. A replica that took its place may lack some, see {@link Distance.Failover}, and did not go back.
     */
    synchronized void judge(Seen seen) {
        Side side = sides[seen.place()];
        if (seen.isOther() && distance.failover() != Distance.Failover.LOSSLESS) {
            return;
        }
        if (side.wentBack && seen.generation() > side.generation && !isBelow(seen, side.own)) {
            // Somebody else has raised it meanwhile.
            side.wentBack = false;
        }
        boolean lost = isBelow(seen, side.own)
                || seen.generation() < side.generation
                || (seen.generation() == side.generation && isBelow(seen, side.last));
        side.wentBack |= lost;
    }

    /** Whether a server has lost ids, and was not raised since. */
    synchronized boolean hasGoneBack(int place) {
        return sides[place].wentBack;
    }

    /** Whether a server lies below an id that it gave. A row that is gone lies below any. */
    static boolean isBelow(Seen seen, long known) {
        long last = seen.lastOrZero();
        return known > 0 && (last == 0 || last < known - seen.slack());
    }

    /** The server was raised: what it gives from now on lies above all that any server gave, and the others may lie far behind. */
    synchronized void raised(int place, boolean isFar) {
        sides[place].wentBack = false;
        raised |= isFar;
    }

    /** Whether a server that lies far behind is no riddle: it gave this process ids, or this process raised the others. */
    synchronized boolean isExplained(int place) {
        return sides[place].own > 0 || raised;
    }

    /** The last id that this process had from a server, 0 if none. */
    synchronized long own(int place) {
        return sides[place].own;
    }

    /** Whether ids were all drawn under the generation that the counter had when the last ones were. */
    synchronized boolean mayHandBack(int place, Block rest) {
        return sides[place].own > 0 && rest.first() >= sides[place].ownSince;
    }

    synchronized long generation(int place) {
        return sides[place].generation;
    }

    synchronized long ownGeneration(int place) {
        return sides[place].ownGeneration;
    }

    /** This process handed ids back, under a new generation. */
    synchronized void handedBack(int place, long last, long generation) {
        Side side = sides[place];
        side.own = Math.min(side.own, last);
        side.ownGeneration = generation;
        side.last = last;
        side.generation = generation;
    }

    /** What there is to tell others of a server; empty if it never answered. */
    synchronized Optional<Witness> witness(int place) {
        Side side = sides[place];
        return side.highest < 0 ? Optional.empty() : Optional.of(new Witness(side.generation, side.last));
    }

    /** The highest id heard of, from one server; 0 if none. */
    synchronized long heard(int place) {
        return Math.max(0, sides[place].highest);
    }

    /** Whether a server lies so far ahead of all others that answer that its counter must be wrong. */
    synchronized boolean isTooFarAhead(int place) {
        long others = highestOfOthers(place);
        return others >= 0 && sides[place].highest - others > distance.most();
    }

    /** The highest id heard of, from any server whose counter can be right; 0 if none. */
    synchronized long highest() {
        long highest = 0;
        for (int place = 0; place < sides.length; place++) {
            if (!isTooFarAhead(place)) {
                highest = Math.max(highest, sides[place].highest);
            }
        }
        return highest;
    }

    /** The highest id heard of, from any other server whose counter can be right; -1 if none answered. */
    synchronized long highestOfOthers(int place) {
        long highest = -1;
        long second = -1;
        for (int other = 0; other < sides.length; other++) {
            long heard = other == place ? -1 : sides[other].highest;
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
