package io.distributedid.internal.counter;

import io.distributedid.spi.Block;
import java.util.Arrays;

/**
 * What this process knows of one counter on its servers: how far each has come, and which of them went back.
 *
 * <p>That a server went back is judged by the blocks that this process has reserved itself: nobody can have given those back. How
 * far one lags behind the others is judged by all that was heard of them. Thread-safe.
 */
final class Sides {

    /** What to think of a block. */
    enum Verdict {
        /** It continues what the server gave before. */
        GOOD,
        /** The server lags far behind the others, but never gave this process a higher id. */
        BEHIND,
        /** The server lags far behind the others, and this process has had no id from it so far. */
        BEHIND_AT_FIRST,
        /** The server gave this process a higher id before: a truncated table, a restored backup, a deleted row. */
        WENT_BACK
    }

    private final long maxDistance;

    /** The last id of this process from each server. */
    private final long[] own;

    /** The highest id heard of, from each server. */
    private final long[] heard;

    private final boolean[] wentBack;

    /**
     * Knows of no ids.
     *
     * @param servers how many
     * @param maxDistance how far one may lag behind another
     */
    Sides(int servers, long maxDistance) {
        this.maxDistance = maxDistance;
        own = new long[servers];
        heard = new long[servers];
        wentBack = new boolean[servers];
    }

    /** Judges a block, and remembers a good one. To be called in the order of the server's blocks. */
    synchronized Verdict judge(int server, Block block) {
        if (block.first() <= own[server]) {
            wentBack[server] = true;
        }
        if (wentBack[server]) {
            return Verdict.WENT_BACK;
        }
        if (highestOfOthers(server) - block.last() > maxDistance) {
            return own[server] == 0 ? Verdict.BEHIND_AT_FIRST : Verdict.BEHIND;
        }
        own[server] = block.last();
        hear(server, block.last());
        return Verdict.GOOD;
    }

    /** A server went back, and gave nothing. */
    synchronized Verdict wentBack(int server) {
        wentBack[server] = true;
        return Verdict.WENT_BACK;
    }

    /** Whether a server went back and was not raised since: it must not be asked for ids, which would move its counter on. */
    synchronized boolean hasGoneBack(int server) {
        return wentBack[server];
    }

    /** Takes notice of how far a server has come. */
    synchronized void hear(int server, long last) {
        heard[server] = Math.max(heard[server], last);
    }

    /** Whether a server from which this process had no id lags too far behind. */
    synchronized boolean isBehindAtFirst(int server) {
        return own[server] == 0 && highestOfOthers(server) - heard[server] > maxDistance;
    }

    /** The server was raised: what it gives from now on lies above all that any server gave. */
    synchronized void raised(int server) {
        wentBack[server] = false;
    }

    /** The last id that this process had from a server, 0 if none. */
    synchronized long own(int server) {
        return own[server];
    }

    /** The highest id heard of, from one server; 0 if none. */
    synchronized long heard(int server) {
        return heard[server];
    }

    /** The highest id heard of, from any server. */
    synchronized long highest() {
        return Arrays.stream(heard).max().orElse(0);
    }

    private long highestOfOthers(int server) {
        long highest = 0;
        for (int other = 0; other < heard.length; other++) {
            if (other != server) {
                highest = Math.max(highest, heard[other]);
            }
        }
        return highest;
    }
}
