package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sees every call, and fails the run if a promise is broken: no id twice; ids of a thread ascend within one server; in
 * strict mode, an id is greater than every one that was given before its call began; a call ends in time; a refusal has
 * a {@link Rule}.
 */
final class Judge {

    /** A broken promise. */
    static final class Verdict extends AssertionError {

        private static final long serialVersionUID = 1L;

        Verdict(String message) {
            super(message);
        }
    }

    /** What a call may take beyond its limit: for threads that take turns. */
    private static final long GRACE = Duration.ofSeconds(5).toNanos();

    /** No counter is followed further than this at once. */
    private static final long FAR = 1_100_000_000;

    private static final long REST = Duration.ofSeconds(1).toNanos();

    /** Who got ids, and the time from the begin of the call to its end. */
    record Call(Object thread, long began, long ended) {

        @Override
        public String toString() {
            return String.format("%s (%,d to %,d us)", thread, began / 1_000, ended / 1_000);
        }
    }

    private record Many(long first, long last, long step, Call call) {}

    /** The ids of a sequence. */
    private static final class Space {

        private final Map<Long, Call> ids = new HashMap<>();

        /** Large blocks, by their first id. */
        private final TreeMap<Long, Many> blocks = new TreeMap<>();

        /** The highest id at each end of a call, by time. */
        private final TreeMap<Long, Long> highest = new TreeMap<>();

        private long most;

        /** Of merged counters: the highest id of the other one. */
        private long least;

        /** What an end has promised, that no id lies above. */
        private long end = Long.MAX_VALUE;

        private long longest;

        /** Large blocks that may have ids in a range. */
        private Collection<Many> near(long first, long last) {
            return blocks.isEmpty()
                    ? List.of()
                    : blocks.subMap(first - longest, true, last, true).values();
        }
    }

    private record Thread(Object thread, String sequence, long remainder) {}

    private final World world;

    private final Setup setup;

    private final Map<String, Space> spaces = new HashMap<>();

    private final Map<Thread, Long> last = new HashMap<>();

    private final Set<Rule> rules = EnumSet.noneOf(Rule.class);

    private final Set<Rule> rulesForNow = EnumSet.noneOf(Rule.class);

    /** Of what began and may have ended: until when. */
    private final Map<Rule, Long> rulesUntil = new EnumMap<>(Rule.class);

    private final boolean isPeaceful;

    private @Nullable Verdict blamed;

    /** {@code isPeaceful} if nothing goes wrong, and processes do nothing but take ids. */
    Judge(World world, Setup setup, boolean isPeaceful) {
        this.world = world;
        this.setup = setup;
        this.isPeaceful = isPeaceful;
        if (setup.isFull()) {
            rules.add(Rule.COLUMN_END);
        }
    }

    private Space space(Side side, String sequence) {
        return spaces.computeIfAbsent(side + " " + setup.key(sequence).key(), key -> new Space());
    }

    /** From now on, a refusal may have this reason. */
    void allow(Rule... reasons) {
        rules.addAll(List.of(reasons));
    }

    /** As above, until all is well again. */
    void allowForNow(Rule... reasons) {
        rulesForNow.addAll(List.of(reasons));
    }

    /** As above, until {@link #end}. */
    void begin(Rule... reasons) {
        List.of(reasons).forEach(each -> rulesUntil.put(each, Long.MAX_VALUE));
    }

    /** A call that has begun before may still be refused. */
    void end(Rule... reasons) {
        List.of(reasons).forEach(each -> rulesUntil.put(each, world.now() + GRACE));
    }

    /** Fails the run at its end: the one who tells it runs in the library's code. */
    void blame(String what) {
        blamed = blamed == null ? new Verdict(what) : blamed;
    }

    void requireNoBlame() {
        if (blamed != null) {
            throw blamed;
        }
    }

    void allIsWell() {
        rulesForNow.clear();
        rulesUntil.clear();
    }

    /**
     * Ids were given.
     *
     * @param servers how many the process thinks that there are
     */
    void given(Side side, String sequence, long first, long step, long count, long servers, Call call) {
        Space space = space(side, sequence);
        List<Space> others = Stream.of(Side.values())
                .filter(each -> each != side && each.shares(side))
                .map(each -> space(each, sequence))
                .toList();
        if (count <= 64) {
            for (long i = 0; i < count; i++) {
                long id = first + i * step;
                given(space, sequence, id, call);
                others.forEach(each -> requireNew(each, each.ids.get(id), sequence, id, call));
            }
        } else {
            Many block = new Many(first, first + (count - 1) * step, step, call);
            for (Many other : space.near(block.first, block.last)) {
                if (first <= other.last && other.first <= block.last && (first - other.first) % step == 0) {
                    throw new Verdict("Ids were given twice: " + other + " and " + block);
                }
            }
            space.blocks.put(first, block);
            space.longest = Math.max(space.longest, block.last - first);
        }
        long end = first + (count - 1) * step;
        if (first < 1 || end > setup.typeEnd(sequence)) {
            throw new Verdict("An id is not allowed: " + sequence + " " + end);
        }
        if (first > space.most + FAR) {
            throw new Verdict("An id lies so far ahead that a counter was changed by hand: " + sequence + " " + first
                    + " after " + space.most + " for " + call);
        }
        if (first <= space.least) {
            throw new Verdict("An id of merged counters does not lie above those of the other one: " + sequence + " "
                    + first + " after " + space.least + " for " + call);
        }
        inOrder(space, sequence, first, end, servers, call);
        notEnded(space, sequence, end);
    }

    private void given(Space space, String sequence, long id, Call call) {
        requireNew(space, space.ids.put(id, call), sequence, id, call);
    }

    /** @param before who got the id */
    private static void requireNew(Space space, @Nullable Call before, String sequence, long id, Call call) {
        if (before != null) {
            throw new Verdict("An id was given twice: " + sequence + " " + id + " to " + before + " and " + call);
        }
        for (Many each : space.near(id, id)) {
            if (each.first <= id && id <= each.last && (id - each.first) % each.step == 0) {
                throw new Verdict("An id was given twice: " + sequence + " " + id + " to " + each + " and " + call);
            }
        }
    }

    private void inOrder(Space space, String sequence, long first, long end, long servers, Call call) {
        Thread thread = new Thread(call.thread, sequence, first % servers);
        Long before = last.put(thread, end);
        if (before != null && before >= first) {
            throw new Verdict(
                    "Ids of a thread must ascend: " + sequence + " " + first + " after " + before + " for " + call);
        }
        if (setup.isStrict() && setup.servers() == 1) {
            Map.Entry<Long, Long> earlier = space.highest.lowerEntry(call.began);
            if (earlier != null && earlier.getValue() >= first) {
                throw new Verdict("An id of strict mode must be greater than those of earlier calls: " + sequence + " "
                        + first + " after " + earlier.getValue() + " for " + call);
            }
        }
        space.most = Math.max(space.most, end);
        space.highest.put(call.ended, space.most);
    }

    private static void notEnded(Space space, String sequence, long last) {
        if (last > space.end) {
            throw new Verdict("An id lies above what the end told: " + sequence + " " + last + ", told: " + space.end);
        }
    }

    /** A counter has ended; no server has given ids above this one, or will. */
    void ended(String sequence, long last) {
        Space space = space(Side.FIRST, sequence);
        space.end = last;
        space.ids.keySet().forEach(id -> notEnded(space, sequence, id));
    }

    /** From now on, ids of merged counters lie above those that the other side was given. */
    void merged(String sequence) {
        long least = space(Side.OTHER, sequence).most;
        space(Side.FIRST_MERGED, sequence).least = least;
        space(Side.OTHER_MERGED, sequence).least = least;
    }

    /** The highest id that was given. */
    long highest(String sequence) {
        return Stream.of(Side.values())
                .mapToLong(each -> space(each, sequence).most)
                .max()
                .orElseThrow();
    }

    /** A call got no id. */
    void failed(String sequence, DistributedIdException e) {
        if (e instanceof IdConfigurationException) {
            if (!isAllowed(e)) {
                throw new Verdict("No rule allows this refusal: " + e.getMessage() + "; allowed: " + rules + rulesForNow
                        + rulesUntil);
            }
        }
        if (isPeaceful && !setup.ends(sequence) && e instanceof IdUnavailableException) {
            throw new Verdict("Nothing is wrong, but there is no id of " + sequence + ": " + e.getMessage());
        }
        if (e instanceof IdsExhaustedException && !setup.ends(sequence)) {
            throw new Verdict("The sequence has ids left: " + sequence + ": " + e.getMessage());
        }
    }

    /** Whether a failure has a rule. */
    boolean isAllowed(DistributedIdException e) {
        String message = String.valueOf(e.getMessage());
        Stream<Rule> begun = rulesUntil.entrySet().stream()
                .filter(each -> each.getValue() > world.now())
                .map(Map.Entry::getKey);
        return Stream.concat(Stream.concat(rules.stream(), rulesForNow.stream()), begun)
                .anyMatch(rule -> rule.isReasonOf(message));
    }

    /** A call has ended, with an id or without. {@code limit} without the time in which its process stood still. */
    void ended(Object thread, long nanos, Duration limit) {
        if (nanos > limit.toNanos() + REST) {
            throw new Verdict(
                    "A call took " + nanos / 1_000_000 + " ms, allowed: " + limit.toMillis() + " ms: " + thread);
        }
    }

    long count() {
        return spaces.values().stream().mapToLong(each -> each.ids.size()).sum();
    }
}
