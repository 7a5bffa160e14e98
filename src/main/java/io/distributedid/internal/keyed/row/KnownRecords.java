package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.keyed.row.RowComparison.Next;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of the {@link RowRecord}s of one sequence. All final ones name the same first server, and
 * none changes. It lasts over suspends: an abandoned thread may still add to it, since what it has read was on the
 * server.
 *
 * @param byPlace the final records, which do not contradict each other
 * @param isCompared whether the first server and another one have told records that belong together
 * @param isGiven whether a caller may have got a number of these records, or read one
 * @param askedAt when a question to the servers that would complete the comparison was last begun in the background, or
 *     has ended without it; null if they were not asked. It makes no difference why they did not tell their record.
 * @param doubt a server that has told another record since; null if none has
 * @param refusedAt when the last refusal was; null before it
 * @param contradiction what a server has told that made this process forget records which were not kept; null if
 *     nothing was. Either may be the wrong one, so it holds until a comparison is complete.
 */
record KnownRecords(
        Map<Integer, RowRecord> byPlace,
        boolean isCompared,
        boolean isGiven,
        @Nullable Long askedAt,
        @Nullable Doubt doubt,
        @Nullable Long refusedAt,
        @Nullable IdConfigurationException contradiction) {

    /** Why the sequence is refused until the server has its known record again. */
    record Doubt(int server, IdConfigurationException why) {}

    static final KnownRecords NONE = new KnownRecords(Map.of(), false, false, null, null, null, null);

    /** Whether a final record was found. */
    boolean isBegun() {
        return !byPlace.isEmpty();
    }

    /** Whether these records stay for good: they were compared, or somebody relies on one of them. */
    boolean isKept() {
        return isCompared || isGiven;
    }

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

    /** The servers of which any one completes the comparison. */
    IntStream others(int servers) {
        return isKnown(0) ? IntStream.range(1, servers) : IntStream.of(0);
    }

    /** What to do before a server gives numbers whose record is known. */
    Next next(int servers, long now) {
        if (doubt != null) {
            return Next.COMPARE;
        }
        if (servers == 1 || isCompared) {
            return Next.GIVE;
        }
        long age = askedAt == null ? Long.MAX_VALUE : now - askedAt;
        if (age > 2 * SilentServers.PAUSE) {
            return Next.COMPARE;
        }
        return age > SilentServers.PAUSE ? Next.GIVE_AND_COMPARE : Next.GIVE;
    }

    /** With a final record that does not contradict. */
    KnownRecords with(RowRecord found) {
        Map<Integer, RowRecord> all = new HashMap<>(byPlace);
        all.put(found.place(), found);
        boolean isEnough = isCompared || all.containsKey(1) && all.size() > 1;
        return new KnownRecords(Map.copyOf(all), isEnough, isGiven, askedAt, doubt, refusedAt, contradiction);
    }

    /** A server's record, which is not final, belongs to the first one's. */
    KnownRecords compared() {
        return new KnownRecords(byPlace, true, isGiven, askedAt, doubt, refusedAt, contradiction);
    }

    KnownRecords asked(long now) {
        return new KnownRecords(byPlace, isCompared, isGiven, now, doubt, refusedAt, contradiction);
    }

    KnownRecords given() {
        return isGiven ? this : new KnownRecords(byPlace, isCompared, true, askedAt, doubt, refusedAt, contradiction);
    }

    /** After a refusal. Records that are not kept may be those of a wrong address: forgets them. */
    KnownRecords refused(@Nullable Doubt why, long now) {
        return isKept()
                ? new KnownRecords(byPlace, isCompared, isGiven, askedAt, why, now, contradiction)
                : new KnownRecords(Map.of(), false, false, null, null, now, why == null ? contradiction : why.why());
    }

    /** The server has its known record again. */
    KnownRecords trusted(Doubt ended) {
        return doubt == ended
                ? new KnownRecords(byPlace, isCompared, isGiven, askedAt, null, refusedAt, contradiction)
                : this;
    }
}
