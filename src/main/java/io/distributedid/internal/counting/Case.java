package io.distributedid.internal.counting;

import io.distributedid.internal.counting.CounterServer.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A counter, what was seen of it, and the verdict.
 *
 * @param first by place: the first looks; null if a server did not answer
 * @param seen by place: the same, or a second look
 */
record Case(
        CounterMemory memory,
        Known known,
        Minimum minimum,
        List<@Nullable Look> first,
        List<@Nullable Look> seen,
        String token,
        CounterRules rules,
        Verdict verdict) {

    /** Judges what was seen. */
    Case(
            CounterMemory memory,
            Known known,
            Minimum minimum,
            List<@Nullable Look> first,
            List<@Nullable Look> seen,
            String token,
            CounterRules rules) {
        this(
                memory,
                known,
                minimum,
                first,
                seen,
                token,
                rules,
                rules.plan(memory.counter(), of(memory, first), of(memory, seen), known, minimum, token));
    }

    private static List<@Nullable Seen> of(CounterMemory memory, List<@Nullable Look> looks) {
        List<@Nullable Seen> all = new ArrayList<>();
        looks.forEach(look -> all.add(look == null ? null : look.seen(memory.counter())));
        return all;
    }

    /** With second looks, by place. */
    Case with(Map<Integer, Look> again) {
        List<@Nullable Look> next = new ArrayList<>(seen);
        again.forEach(next::set);
        return new Case(memory, known, minimum, first, next, token, rules);
    }

    boolean isRefusedAnywhere() {
        return verdict.refusals().stream().anyMatch(Objects::nonNull);
    }

    boolean isUsableNowhere() {
        return verdict.refusals().stream().noneMatch(Objects::isNull);
    }

    /** Whether it may be good in a moment. */
    boolean isPassing() {
        return verdict.refusals().stream()
                .anyMatch(refusal -> refusal != null && refusal.kind() == Refusal.Kind.NOT_ALL_ANSWER);
    }
}
