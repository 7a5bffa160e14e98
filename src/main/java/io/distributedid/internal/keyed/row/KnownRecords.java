package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of the {@link RowRecord}s of one sequence. All final ones name the same first server, and
 * none changes. It lasts over suspends: an abandoned thread may still add to it, since what it has read was on the
 * server.
 *
 * @param byPlace the final records, which do not contradict each other
 * @param isBegun whether a final record was ever found
 * @param isCompared whether the first server and another one have told records that belong together
 * @param isAskedInVain whether a server was asked that would complete the comparison, and none could be reached
 * @param missedAt when a server was asked that has no record; null if it was not
 * @param isGiven whether numbers may have been given with these records
 * @param doubt a server that has told another record since; null if none has
 * @param refusedAt when the last refusal was; null before it
 */
record KnownRecords(
        Map<Integer, RowRecord> byPlace,
        boolean isBegun,
        boolean isCompared,
        boolean isAskedInVain,
        @Nullable Long missedAt,
        boolean isGiven,
        @Nullable Doubt doubt,
        @Nullable Long refusedAt) {

    /** Why the sequence is refused until the server has its known record again. */
    record Doubt(int server, IdConfigurationException why) {}

    static final KnownRecords NONE = new KnownRecords(Map.of(), false, false, false, null, false, null, null);

    boolean isKnown(int server) {
        return byPlace.containsKey(server + 1);
    }

    boolean has(RowRecord found) {
        return found.equals(byPlace.get(found.place()));
    }

    /**
     * Whether a record is another one than those that are known allow. One that is not final may have been read before
     * another process made it final.
     */
    boolean contradict(RowRecord found) {
        RowRecord known = byPlace.get(found.place());
        if (known == null) {
            return byPlace.values().stream().anyMatch(other -> other.first() != found.first());
        }
        // The first server's token is made last.
        boolean isSameToken = known.token() == found.token() || !found.isFinal() && found.place() == 1;
        return known.first() != found.first() || !isSameToken;
    }

    /** The first of the servers whose record is known, but not this one; -1 if there is none. */
    int otherThan(int server) {
        return byPlace.keySet().stream()
                .mapToInt(place -> place - 1)
                .filter(other -> other != server)
                .min()
                .orElse(-1);
    }

    /** With a final record that does not contradict. */
    KnownRecords with(RowRecord found) {
        Map<Integer, RowRecord> all = new HashMap<>(byPlace);
        all.put(found.place(), found);
        boolean isEnough = isCompared || all.containsKey(1) && all.size() > 1;
        return new KnownRecords(Map.copyOf(all), true, isEnough, isAskedInVain, missedAt, isGiven, doubt, refusedAt);
    }

    /** A server's record, which is not final, belongs to the first one's. */
    KnownRecords compared() {
        return new KnownRecords(byPlace, isBegun, true, isAskedInVain, missedAt, isGiven, doubt, refusedAt);
    }

    KnownRecords askedInVain() {
        return new KnownRecords(byPlace, isBegun, isCompared, true, missedAt, isGiven, doubt, refusedAt);
    }

    KnownRecords missed(long now) {
        return new KnownRecords(byPlace, isBegun, isCompared, isAskedInVain, now, isGiven, doubt, refusedAt);
    }

    KnownRecords given() {
        return new KnownRecords(byPlace, isBegun, isCompared, isAskedInVain, missedAt, true, doubt, refusedAt);
    }

    /** After a refusal. Records with which no number was given may be those of a wrong address: forgets them. */
    KnownRecords refused(@Nullable Doubt why, long now) {
        return isGiven
                ? new KnownRecords(byPlace, isBegun, isCompared, isAskedInVain, missedAt, true, why, now)
                : new KnownRecords(Map.of(), isBegun, false, false, null, false, null, now);
    }

    /** The server has its known record again. */
    KnownRecords trusted(Doubt ended) {
        return doubt == ended
                ? new KnownRecords(byPlace, isBegun, isCompared, isAskedInVain, missedAt, isGiven, null, refusedAt)
                : this;
    }
}
