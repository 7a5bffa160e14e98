package io.distributedid.internal.counting;

import io.distributedid.internal.counting.Refusal.Kind;
import io.distributedid.internal.counting.Write.ToNote;
import io.distributedid.internal.counting.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Judges the rows of a counter on servers whose headers are good. See {@link CounterRules}. */
record RowRules(CounterRules rules, Judgement look, Minimum minimum) {

    /**
     * A server that lost ids may have lost versions that processes know. Its new version skips these: it follows from
     * how far the counter is raised, which peers remember, and so lies above those of all earlier losses.
     */
    private static final long VERSIONS_A_DISTANCE = 1_000;

    void judge() {
        boolean isNew = look.places().allMatch(place -> look.row(place) == null && look.spokenRow(place) == null);
        look.usable().forEach(place -> {
            Seen seen = look.seen(place);
            long last = seen.counter().orElse(0);
            if (!seen.isBlind() && last > 0 && !seen.numbering().holds(last)) {
                look.refuse(Refusal.of(Kind.REMAINDER, place, last, seen.numbering()));
            } else if (!isNew) {
                judge(place);
            } else if (!look.known.servers().isEmpty()) {
                look.refuse(lostAlone(place));
            } else if (look.writes.isEmpty()) {
                createFirst(place);
            }
        });
    }

    private Refusal lostAlone(int place) {
        OptionalLong counter = look.seen(place).counter();
        return Refusal.of(Kind.LOST_ALONE, place, counter.isPresent() ? counter.getAsLong() : "missing", reach(place));
    }

    private void judge(int place) {
        Seen seen = look.seen(place);
        CounterRow row = seen.row();
        long offset = seen.numbering().offset();
        List<Integer> others = look.places()
                .filter(each -> each != place && look.spokenRow(each) != null && !look.isForeign(each))
                .boxed()
                .toList();
        List<Integer> marks = others.stream()
                .filter(each -> note(each, offset) == Seen.NOT_CREATED)
                .filter(each ->
                        Objects.requireNonNull(look.first.get(each)).notes().containsKey(offset))
                .toList();
        long noted = others.stream().mapToLong(each -> note(each, offset)).reduce(Seen.NOT_CREATED, Math::max);
        boolean isCreated = row == null
                && !marks.isEmpty()
                && noted < 0
                && look.known.server(place).isEmpty();
        List<Write> ends = marks.stream()
                .map(each -> new Write(each, null, new ToNote(look.counter, offset)))
                .toList();
        if (isCreated) {
            create(place, ends);
        } else if (row != null) {
            look.writes.addAll(ends);
            judge(place, seen, row, noted, others.isEmpty());
        } else if (others.isEmpty()) {
            // Created after this server was read: look again.
            look.refuse(Refusal.of(Kind.NOT_ALL_ANSWER, place));
        } else {
            look.doubts.add(place);
            raise(place, rules.beyondLoss(reach(place)), true);
        }
    }

    /** How far a server says that the one with the offset was seen. */
    private long note(int place, long offset) {
        return Objects.requireNonNull(look.first.get(place)).notes().getOrDefault(offset, Seen.NOT_CREATED);
    }

    private void judge(int place, Seen seen, CounterRow row, long noted, boolean isAlone) {
        boolean isNoted = noted > row.number();
        if (isNoted) {
            look.doubts.add(place);
        }
        long counter = seen.isBlind() ? 0 : seen.counter().orElse(0);
        long reach = reach(place);
        boolean isLost = CounterRules.hasLost(seen) || isOlder(place, row) || isNoted;
        boolean isOther = CounterRules.isOther(seen);
        boolean isRaised = isOther && rules.failover() == Failover.RAISE;
        if (!row.isOpen()) {
            look.refuse(Refusal.of(Kind.CLOSED, place, row.command(), ""));
        } else if (counter > rules.furthest(reach)) {
            look.refuse(Refusal.of(Kind.TOO_FAR, place, counter, rules.furthest(reach)));
        } else if (isOther && rules.failover() == Failover.REFUSE) {
            look.refuse(Refusal.of(Kind.REPLACED, place, seen.identity(), row.identity()));
        } else if (isLost && !isRaised && isAlone) {
            look.refuse(lostAlone(place));
        } else if (isLost || isRaised) {
            if (!isOther) {
                look.losses.add(place);
            }
            raise(place, rules.beyondLoss(reach), true);
        } else if (isOther) {
            write(place, row.number(), OptionalLong.empty(), false);
        } else if (reach - Math.max(row.number(), counter) > rules.maxDistance()) {
            raise(place, reach, false);
        } else {
            applyMinimum(place, seen, row);
        }
    }

    /** Whether this process knows something newer of it. */
    private boolean isOlder(int place, CounterRow row) {
        Version now = row.version();
        return look.known
                .server(place)
                .filter(known -> now.equals(known.version())
                        ? row.number() < known.number()
                        : now.count() <= known.version().count())
                .isPresent();
    }

    /** A ticket table may be further than its number. */
    private void applyMinimum(int place, Seen seen, CounterRow row) {
        long last = Math.max(row.number(), seen.counter().orElse(0));
        long next = seen.numbering().after(last);
        long existing = minimum.existingOf(seen.numbering());
        if (next <= minimum.raiseAbove()) {
            raise(place, minimum.raiseAbove(), false);
        } else if (next <= existing) {
            look.refuse(Refusal.of(Kind.EXISTING, place, last, existing));
        }
    }

    /** All that is known, apart from a counter that is too far ahead of it. */
    private long reach(int place) {
        long known = look.places()
                .filter(each -> look.header(each) != null && !look.isForeign(each))
                .mapToLong(each -> rules.reached(look.seen(each)))
                .reduce(look.known.furthest(), Math::max);
        long counter =
                look.seen(place).isBlind() ? 0 : look.seen(place).counter().orElse(0);
        return counter > rules.furthest(known) ? known : Math.max(known, counter);
    }

    private void createFirst(int place) {
        if (look.isPartlyUsed()) {
            boolean isSilent = look.answers().count() < look.size();
            look.refuse(Refusal.of(isSilent ? Kind.NOT_ALL_ANSWER : Kind.USED, place));
        } else {
            create(place, List.of());
        }
    }

    /** @param before writes that come first */
    private void create(int place, List<Write> before) {
        if (look.places().anyMatch(each -> offset(each).isEmpty())) {
            look.refuse(Refusal.of(Kind.NOT_ALL_ANSWER, place));
            return;
        }
        int at = look.writes.size();
        raise(place, Math.max(look.seen(place).counter().orElse(0), minimum.raiseAbove()), false);
        if (look.writes.size() > at) {
            look.writes.addAll(at, before);
        }
    }

    /** Of a server that is silent: known only if the servers are numbered by their places. */
    private OptionalLong offset(int place) {
        boolean isByPlace = look.places()
                .filter(each -> look.seen.get(each) != null)
                .allMatch(each -> look.seen(each).numbering().equals(new Numbering(look.size(), each + 1)));
        return look.seen.get(place) != null
                ? OptionalLong.of(look.seen(place).numbering().offset())
                : isByPlace ? OptionalLong.of(place + 1) : OptionalLong.empty();
    }

    private void raise(int place, long above, boolean isLoss) {
        Seen seen = look.seen(place);
        if (CounterRules.isBeyondEnd(seen, above)) {
            look.refuse(Refusal.of(Kind.NO_ROOM, place, above, seen.largest()));
        } else {
            write(place, Math.max(0, above), OptionalLong.of(Math.max(0, above)), isLoss);
        }
    }

    /** Creates a row, or writes it anew, with notes of the others. */
    private void write(int place, long number, OptionalLong above, boolean isLoss) {
        Seen seen = look.seen(place);
        @Nullable CounterRow before = seen.row();
        Header header = Objects.requireNonNull(look.header(place));
        long count = Math.max(
                before == null ? 0 : before.version().count(),
                look.known.server(place).map(known -> known.version().count()).orElse(0L));
        CounterRow after = new CounterRow(
                new Version(isLoss ? Math.max(count, skipped(number)) : count, "").next(look.token),
                false,
                number,
                seen.identity(),
                header.era(),
                "");
        look.writes.add(new Write(
                place,
                before == null ? null : before.version(),
                new ToRow(
                        look.counter,
                        before != null && before.isLost(),
                        after,
                        above,
                        notes(place, before == null),
                        isLoss)));
    }

    private long skipped(long number) {
        return number / rules.maxDistance() * VERSIONS_A_DISTANCE;
    }

    private Map<Long, Long> notes(int place, boolean isCreated) {
        Map<Long, Long> notes = new HashMap<>();
        look.places().filter(each -> each != place && offset(each).isPresent()).forEach(each -> {
            long offset = offset(each).getAsLong();
            CounterRow row = look.isForeign(each) ? null : look.row(each);
            if (row != null) {
                notes.put(offset, row.number());
            } else if (isCreated
                    && look.answers().noneMatch(other -> other.notes().getOrDefault(offset, -1L) >= 0)) {
                notes.put(offset, Seen.NOT_CREATED);
            }
        });
        return notes;
    }
}
