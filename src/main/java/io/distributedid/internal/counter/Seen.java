package io.distributedid.internal.counter;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a counter on one server found.
 *
 * @param place of the server, from 0
 * @param label names the server in messages
 * @param numbering the server's part of the numbers, as this client sees it
 * @param identity of the server; empty if the server does not tell
 * @param claim of the counter's table
 * @param counter the record of the counter
 * @param witnesses by offset, from this server's record: how far the servers had come
 * @param last the last id given, 0 if none; empty if the counter's row is missing
 * @param slack how far {@code last} may fall without a loss
 * @param largest the largest id that its column holds
 * @param changesTogether whether its changes can share a transaction with those of other counters; only those that were
 *     seen together do
 * @param session of the connection; another one after a reconnect
 */
record Seen(
        int place,
        String label,
        Numbering numbering,
        String identity,
        Optional<NumberingRecord> claim,
        Optional<CounterRecord> counter,
        Map<Long, Witness> witnesses,
        OptionalLong last,
        long slack,
        long largest,
        boolean changesTogether,
        Object session) {

    /** The generation under which ids are drawn; 0 if the counter has no record. */
    long generation() {
        return counter.map(CounterRecord::generation).orElse(0L);
    }

    /** Whether another server has taken the place of the one in the counter's record. */
    boolean isOther() {
        return counter.filter(record -> !record.identity().isEmpty()
                        && !identity.isEmpty()
                        && !record.identity().equals(identity))
                .isPresent();
    }

    /** Whether it was seen on this very connection. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOn(@Nullable Object connection) {
        return session == connection;
    }

    /** A later look at the same server, with the witnesses of this one. */
    Seen seenAgain(Seen later) {
        return new Seen(
                place,
                label,
                later.numbering,
                later.identity,
                later.claim,
                later.counter,
                witnesses,
                later.last,
                later.slack,
                later.largest,
                later.changesTogether,
                later.session);
    }

    /** The same server with another claim. */
    Seen with(NumberingRecord nextClaim) {
        return new Seen(
                place,
                label,
                numbering,
                identity,
                Optional.of(nextClaim),
                counter,
                witnesses,
                last,
                slack,
                largest,
                changesTogether,
                session);
    }

    /** The same server with another record, and another last id. */
    Seen with(Optional<CounterRecord> nextCounter, Map<Long, Witness> nextWitnesses, long nextLast) {
        return new Seen(
                place,
                label,
                numbering,
                identity,
                claim,
                nextCounter,
                nextWitnesses,
                OptionalLong.of(nextLast),
                slack,
                largest,
                changesTogether,
                session);
    }

    /** The largest id above which it can be raised: it must have one left. A narrow column may not give its last. */
    long highestRaise() {
        long unused = largest == Long.MAX_VALUE ? 1 : 2;
        return largest - unused * numbering.increment();
    }

    long lastOrZero() {
        return Math.max(0, last.orElse(0));
    }
}
