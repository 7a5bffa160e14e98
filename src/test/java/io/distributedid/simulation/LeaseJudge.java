package io.distributedid.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sees every use of a right, and fails the run if a promise is broken. The values of a right belong to its process for
 * ever: a process may compose ids of any of them, in any order, also long after it has read the right. So no value of a
 * row may belong to two.
 */
final class LeaseJudge {

    /** What a call may take beyond its limit: for threads that take turns. */
    private static final long REST = Duration.ofSeconds(1).toNanos();

    /** The values of a right. */
    private static final class Range {

        private final LeaseProcess process;

        private final long from;

        private long bound;

        Range(LeaseProcess process, long from, long bound) {
            this.process = process;
            this.from = from;
            this.bound = bound;
        }

        @Override
        public String toString() {
            return from + " to before " + bound + " of " + process;
        }
    }

    private record Given(LeaseProcess process, long began, long ended) {}

    private final LeaseScene scene;

    private final Map<String, List<Range>> ranges = new HashMap<>();

    private final Map<Long, LeaseProcess> burnt = new HashMap<>();

    private final Map<Long, Given> strict = new HashMap<>();

    /** The highest id of strict order at each end of a call, by time. */
    private final TreeMap<Long, Long> highest = new TreeMap<>();

    /** By row, and by who was copied: what both may use. */
    private final Map<String, Long> copied = new HashMap<>();

    private final Set<LeaseRule> rules = EnumSet.of(LeaseRule.STANDBY, LeaseRule.NONE_FREE);

    private Judge.@Nullable Verdict blamed;

    private long count;

    LeaseJudge(LeaseScene scene) {
        this.scene = scene;
    }

    /** Fails the run at its end: the one who tells it runs in the library's code. */
    void blame(String what) {
        scene.world().log(() -> "BLAMED: " + what);
        blamed = blamed == null ? new Judge.Verdict(what) : blamed;
    }

    void requireNoBlame() {
        if (blamed != null) {
            throw blamed;
        }
    }

    /** From now on, it may be a reason. */
    void allow(LeaseRule... reasons) {
        rules.addAll(List.of(reasons));
    }

    long count() {
        return count;
    }

    /** A process was copied, which shares what the right gave it until then. */
    void copied(String row, String by, long bound) {
        copied.merge(row + " " + by, bound, Math::max);
    }

    private boolean isExcused(String row, LeaseProcess process, long end) {
        return scene.evidence().isExcused(row, process.by())
                || end <= copied.getOrDefault(row + " " + process.by(), 0L);
    }

    /** A process may use all values of a right from now on. */
    void uses(LeaseProcess process, String row, long from, long bound) {
        count++;
        List<Range> all = ranges.computeIfAbsent(row, name -> new ArrayList<>());
        Range mine = all.stream()
                .filter(each -> each.process == process && each.from == from && each.bound <= bound)
                .findAny()
                .orElse(null);
        if (mine == null) {
            mine = new Range(process, from, bound);
            all.add(mine);
            requireLayout(process, mine);
        }
        mine.bound = bound;
        for (Range each : all) {
            long end = Math.min(bound, each.bound);
            if (each.process != process
                    && Math.max(from, each.from) < end
                    && !isExcused(row, process, end)
                    && !isExcused(row, each.process, end)) {
                throw new Judge.Verdict("Values belong to two: " + row + " " + mine + ", and " + each);
            }
        }
    }

    /** Nothing was leased while the layout was changed. */
    private void requireLayout(LeaseProcess process, Range range) {
        boolean isOld = scene.store().rows().values().stream()
                .flatMap(row -> row.text().get(LeaseProcess.BITS).stream())
                .anyMatch(bits -> !bits.equals(process.bits()));
        if (isOld && !scene.evidence().wasAnyLost()) {
            throw new Judge.Verdict("A right was given to a process with the old layout: " + range);
        }
    }

    /** A process uses no value from here on, now or later. */
    void ends(LeaseProcess process, String row, long unused) {
        ranges.getOrDefault(row, List.of()).stream()
                .filter(each -> each.process == process)
                .forEach(each -> each.bound = Math.min(each.bound, Math.max(unused, each.from)));
    }

    /** A number was taken for a single use. */
    void burns(LeaseProcess process, long number) {
        count++;
        LeaseProcess before = burnt.put(number, process);
        if (before != null && scene.evidence().isBurntForGood(number)) {
            throw new Judge.Verdict(
                    "A number for a single use was given twice: " + number + " to " + before + ", and " + process);
        }
    }

    /** An id of strict order. */
    void given(LeaseProcess process, String row, long value, long began) {
        count++;
        if (isExcused(row, process, value)) {
            return;
        }
        long now = scene.world().now();
        Given before = strict.put(value, new Given(process, began, now));
        if (before != null) {
            throw new Judge.Verdict("An id was given twice: " + value + " to " + before + ", and " + process);
        }
        Map.Entry<Long, Long> earlier = highest.lowerEntry(began);
        if (earlier != null && earlier.getValue() >= value && !scene.isAnySuspended()) {
            throw new Judge.Verdict("An id of strict order must be greater than those of earlier calls: " + value
                    + " after " + earlier.getValue() + " for " + process);
        }
        Map.Entry<Long, Long> last = highest.lastEntry();
        highest.put(now, Math.max(value, last == null ? 0 : last.getValue()));
    }

    /** A call was refused. */
    void refused(LeaseProcess process, String what, RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        scene.world().log(() -> process + " " + what + ": " + message);
        if (rules.stream().noneMatch(each -> each.isReasonOf(message))) {
            throw new Judge.Verdict("No rule allows this refusal: " + what + ": " + message + "; allowed: " + rules);
        }
    }

    /** A call has ended. {@code limit} without the time in which its process stood still. */
    void ended(LeaseProcess process, String what, long nanos, Duration limit) {
        if (nanos > limit.toNanos() + REST) {
            throw new Judge.Verdict("A call took too long: " + what + ": " + nanos / 1_000_000 + " ms, allowed: "
                    + limit.toMillis() + " ms: " + process);
        }
    }
}
