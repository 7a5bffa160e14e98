package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.keyed.row.RowComparison.Next;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
 * @param doubts by server, why the sequence is refused until it has its known record again: it has told another one
 * @param contradiction of records which this process then forgot, since they were not kept; null if there was none. Any
 *     may be the wrong one, so the comparison is complete only with all of these servers.
 * @param refusedAt by server, when it was refused last
 */
record KnownRecords(
        Map<Integer, RowRecord> byPlace,
        boolean isCompared,
        boolean isGiven,
        @Nullable Long askedAt,
        Map<Integer, IdConfigurationException> doubts,
        @Nullable Contradiction contradiction,
        Map<Integer, Long> refusedAt) {

    /** @param places of the servers, from 1 */
    record Contradiction(Set<Integer> places, IdConfigurationException why) {}

    static final KnownRecords NONE = new KnownRecords(Map.of(), false, false, null, Map.of(), null, Map.of());

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
        boolean isSameToken = known.token() == found.token() || (!found.isFinal() && found.place() == 1);
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

    /** The servers that complete the comparison: any one, or all of those that contradicted each other. */
    List<Integer> others(int servers) {
        Set<Integer> missing = new TreeSet<>();
        if (contradiction != null) {
            missing.addAll(contradiction.places());
            missing.add(1);
            missing.removeAll(byPlace.keySet());
        }
        if (missing.isEmpty()) {
            IntStream any = isKnown(0) ? IntStream.range(1, servers) : IntStream.of(0);
            return any.boxed().toList();
        }
        return missing.stream().map(place -> place - 1).toList();
    }

    /** The contradiction, until a comparison is complete. */
    @Nullable
    Contradiction unresolved() {
        return isCompared ? null : contradiction;
    }

    private boolean completes(Set<Integer> places) {
        return isCompared
                || (places.contains(1)
                        && places.size() > 1
                        && (contradiction == null || places.containsAll(contradiction.places())));
    }

    /** What to do before a server gives numbers whose record is known. */
    Next next(int servers, long now) {
        if (!doubts.isEmpty()) {
            return Next.COMPARE;
        }
        if (servers == 1 || isCompared) {
            return Next.GIVE;
        }
        if (contradiction != null) {
            return Next.COMPARE;
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
        return new KnownRecords(
                Map.copyOf(all), completes(all.keySet()), isGiven, askedAt, doubts, contradiction, refusedAt);
    }

    /** Records that are not final belong to the first server's. */
    KnownRecords compared(List<RowRecord> prepared) {
        Set<Integer> all = new HashSet<>(byPlace.keySet());
        prepared.forEach(record -> all.add(record.place()));
        return isKnown(0) && prepared.stream().noneMatch(this::contradict)
                ? new KnownRecords(byPlace, completes(all), isGiven, askedAt, doubts, contradiction, refusedAt)
                : this;
    }

    KnownRecords asked(long now) {
        return new KnownRecords(byPlace, isCompared, isGiven, now, doubts, contradiction, refusedAt);
    }

    KnownRecords given() {
        return isGiven ? this : new KnownRecords(byPlace, isCompared, true, askedAt, doubts, contradiction, refusedAt);
    }

    /** After a refusal of a server. Records that are not kept may be those of a wrong address: forgets them. */
    KnownRecords refused(int server, long now) {
        Map<Integer, Long> times = new HashMap<>(refusedAt);
        times.put(server, now);
        Map<Integer, Long> all = Map.copyOf(times);
        return isKept()
                ? new KnownRecords(byPlace, isCompared, isGiven, askedAt, doubts, contradiction, all)
                : new KnownRecords(Map.of(), false, false, null, Map.of(), contradiction, all);
    }

    /** After a refusal because of a record that contradicts others. */
    KnownRecords doubted(int server, IdConfigurationException why) {
        Map<Integer, IdConfigurationException> all = new HashMap<>(doubts);
        all.put(server, why);
        return new KnownRecords(byPlace, isCompared, isGiven, askedAt, Map.copyOf(all), contradiction, refusedAt);
    }

    /** Whether this very refusal was noted before. */
    @SuppressWarnings("ReferenceEquality")
    boolean isNoted(RefusedServerException why) {
        return doubts.get(why.server()) == why || (contradiction != null && contradiction.why() == why);
    }

    /** The server has its known record again. */
    KnownRecords trusted(int server, IdConfigurationException ended) {
        Map<Integer, IdConfigurationException> left = new HashMap<>(doubts);
        left.remove(server, ended);
        return new KnownRecords(byPlace, isCompared, isGiven, askedAt, Map.copyOf(left), contradiction, refusedAt);
    }

    /** As {@link #doubted}, of records that are not kept. */
    KnownRecords contradicted(Set<Integer> places, IdConfigurationException why) {
        Set<Integer> all = new HashSet<>(places);
        if (contradiction != null) {
            all.addAll(contradiction.places());
        }
        Contradiction union = new Contradiction(Set.copyOf(all), why);
        return new KnownRecords(byPlace, isCompared, isGiven, askedAt, doubts, union, refusedAt);
    }

    /** When a server was refused last; null if it never was. */
    @Nullable
    Long refusedAt(int server) {
        return refusedAt.get(server);
    }

    /** When any server was refused last; null if none was. */
    @Nullable
    Long lastRefusal() {
        return refusedAt.values().stream()
                .reduce((one, other) -> one - other > 0 ? one : other)
                .orElse(null);
    }
}
