package io.distributedid.internal.counter;

import io.distributedid.internal.counter.Refusal.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
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

    boolean isSilent() {
        return seen.contains(null);
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

    /** Whether a server answers, and has the row, or will have it. */
    boolean mayNote(int place) {
        Refusal refusal = refusals.get(place);
        return seen.get(place) != null
                && !isForeign(place)
                && (row(place) != null || refusal == null || refusal.isPassing());
    }

    /** Whether some servers have given ids of the counter, and others have not, or did not answer. */
    boolean isPartlyUsed() {
        long used = answers().filter(each -> each.counter().orElse(0) > 0).count();
        return used > 0 && used < seen.size();
    }

    /** Of a server that is silent: known only if the servers are numbered by their places. */
    OptionalLong offset(int place) {
        if (seen.get(place) != null) {
            return OptionalLong.of(seen(place).numbering().offset());
        }
        boolean isByPlace = places().filter(each -> seen.get(each) != null)
                .allMatch(each -> seen(each).numbering().equals(new Numbering(seen.size(), each + 1)));
        return isByPlace ? OptionalLong.of(place + 1) : OptionalLong.empty();
    }

    /** The first reason stays. */
    void refuse(Refusal refusal) {
        if (refusals.get(refusal.place()) == null) {
            refusals.set(refusal.place(), refusal);
        }
    }

    void refuse(Kind kind, int place, Object is, Object expected) {
        refuse(Refusal.of(kind, place, is, expected));
    }

    void refuse(Kind kind, int place) {
        refuse(Refusal.of(kind, place));
    }

    /** Because of one of them, which may have been refused already. */
    void refuseAll(Kind kind, int place, Object is, Object expected) {
        usable().forEach(each -> refusals.set(each, Refusal.of(kind, place, is, expected)));
    }

    void refuseAll(Kind kind) {
        usable().forEach(place -> refuse(kind, place));
    }

    Verdict verdict() {
        return new Verdict(writes, refusals, doubts, losses);
    }
}
