package io.distributedid.internal.counting;

import io.distributedid.internal.counting.Refusal.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One look at a counter, and what was decided from it so far. */
final class Judgement {

    final CounterKey counter;

    /** What servers say of others is taken from here: it was read before the second read of those others. */
    final List<@Nullable Seen> first;

    final List<@Nullable Seen> seen;

    final Known known;

    final String token;

    final List<Write> writes = new ArrayList<>();

    final Set<Integer> doubts = new TreeSet<>();

    final Set<Integer> losses = new TreeSet<>();

    private final List<@Nullable Refusal> refusals = new ArrayList<>();

    Judgement(CounterKey counter, List<@Nullable Seen> first, List<@Nullable Seen> seen, Known known, String token) {
        this.counter = counter;
        this.first = first;
        this.seen = seen;
        this.known = known;
        this.token = token;
        places().forEach(place -> refusals.add(seen.get(place) == null ? Refusal.of(Kind.SILENT, place) : null));
    }

    int size() {
        return seen.size();
    }

    IntStream places() {
        return IntStream.range(0, seen.size());
    }

    /** The places that were not refused so far. */
    IntStream usable() {
        return places().filter(place -> refusals.get(place) == null);
    }

    Stream<Seen> answers() {
        return seen.stream().filter(Objects::nonNull);
    }

    /** Of a place that answered. */
    Seen seen(int place) {
        return Objects.requireNonNull(seen.get(place));
    }

    @Nullable
    Header header(int place) {
        Seen each = seen.get(place);
        return each == null ? null : each.header();
    }

    @Nullable
    CounterRow row(int place) {
        Seen each = seen.get(place);
        return each == null ? null : each.row();
    }

    /** By the first read. */
    @Nullable
    CounterRow spokenRow(int place) {
        Seen each = first.get(place);
        return each == null ? null : each.row();
    }

    /** Whether a server was refused since its table belongs to another id space: nothing that it says counts. */
    boolean isForeign(int place) {
        Refusal refusal = refusals.get(place);
        return refusal != null && refusal.kind() == Kind.TOKEN;
    }

    /** Whether some servers have given ids of the counter, and others have not, or did not answer. */
    boolean isPartlyUsed() {
        long used = answers().filter(each -> each.counter().orElse(0) > 0).count();
        return used > 0 && used < size();
    }

    /** The first reason stays. */
    void refuse(Refusal refusal) {
        if (refusals.get(refusal.place()) == null) {
            refusals.set(refusal.place(), refusal);
        }
    }

    void refuseAll(Refusal refusal) {
        usable().forEach(place -> refusals.set(place, refusal));
    }

    void refuseAll(Kind kind) {
        usable().forEach(place -> refusals.set(place, Refusal.of(kind, place)));
    }

    Verdict verdict() {
        return new Verdict(writes, refusals, doubts, losses);
    }
}
