package io.distributedid.internal.counter;

import io.distributedid.internal.counter.Refusal.Kind;
import io.distributedid.internal.counter.Write.ToNote;
import io.distributedid.internal.counter.Write.ToRow;
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
            if (last > 0 && !seen.numbering().holds(last)) {
                look.refuse(Kind.REMAINDER, place, last, seen.numbering());
            }
        });
        look.usable().forEach(place -> {
            if (!isNew) {
                judge(place, look.seen(place));
            } else if (look.isSilent()
                    && !look.known.servers().isEmpty()
                    && look.known.server(place).isEmpty()) {
                // Created elsewhere, where nobody answers.
                look.refuse(Kind.NOT_ALL_ANSWER, place);
            } else if (!look.known.servers().isEmpty()) {
                look.refuse(CounterRules.lostAlone(place, look.seen(place), reach(place)));
            } else if (look.isPartlyUsed()) {
                look.refuse(look.isSilent() ? Kind.NOT_ALL_ANSWER : Kind.USED, place);
            } else {
                create(place);
            }
        });
    }

    private void judge(int place, Seen seen) {
        CounterRow row = seen.row();
        long offset = seen.numbering().offset();
        List<Integer> others = look.places()
                .filter(each -> each != place && look.spokenRow(each) != null && !look.isForeign(each))
                .boxed()
                .toList();
        if (others.isEmpty() && (row == null || row.isNew())) {
            // Created after this server was read, or together with the row of a silent server, whose note is unknown.
            look.refuse(Kind.NOT_ALL_ANSWER, place);
        } else if (row != null) {
            others.stream()
                    .filter(each -> Objects.equals(note(each, offset), Seen.NOT_CREATED))
                    .map(each -> new Write(each, null, new ToNote(look.counter, offset, row.note())))
                    .forEach(look.writes::add);
            judge(place, seen, row, others);
        } else if (look.known.server(place).isEmpty() && isNotCreated(others, offset)) {
            create(place);
        } else {
            look.doubts.add(place);
            raise(place, rules.beyondLoss(reach(place)), true);
        }
    }

    private boolean isNotCreated(List<Integer> others, long offset) {
        List<Long> notes = others.stream()
                .map(each -> note(each, offset))
                .filter(Objects::nonNull)
                .toList();
        return !notes.isEmpty() && notes.stream().allMatch(each -> each == Seen.NOT_CREATED);
    }

    /** How far a server says that the one with the offset was seen. */
    private @Nullable Long note(int place, long offset) {
        return Objects.requireNonNull(look.first.get(place)).notes().get(offset);
    }

    private void judge(int place, Seen seen, CounterRow row, List<Integer> others) {
        long offset = seen.numbering().offset();
        boolean isDoubted = others.stream().anyMatch(each -> saysMore(note(each, offset), row));
        if (isDoubted) {
            look.doubts.add(place);
        }
        long reach = reach(place);
        boolean isLost = CounterRules.hasLost(seen) || isOlder(place, row) || isDoubted;
        boolean isOther = CounterRules.isOther(seen);
        boolean isRaised = isOther && rules.failover() == Failover.RAISE;
        if (!row.isOpen() && !row.isNew()) {
            look.refuse(Kind.CLOSED, place, row.command(), "");
        } else if (seen.counter().orElse(0) > rules.furthest(reach)) {
            look.refuse(Kind.TOO_FAR, place, seen.counter().getAsLong(), rules.furthest(reach));
        } else if (isOther && rules.failover() == Failover.REFUSE) {
            look.refuse(Kind.REPLACED, place, seen.identity(), row.identity());
        } else if (isLost && !isRaised && others.isEmpty()) {
            look.refuse(CounterRules.lostAlone(place, look.seen(place), reach(place)));
            if (!CounterRules.hasLost(seen)) {
                mark(place, row);
            }
        } else if (isLost || isRaised) {
            if (!isOther) {
                look.losses.add(place);
            }
            raise(place, rules.beyondLoss(reach), true);
        } else if (row.isNew() || !row.identity().equals(CounterRules.identity(seen))) {
            write(place, row.number(), OptionalLong.empty(), false);
        } else if (reach - Math.max(row.number(), seen.position()) > rules.maxDistance()) {
            raise(place, reach, false);
        } else {
            applyMinimum(place, seen, row);
        }
    }

    /** Whether another server notes more than the row holds. */
    private static boolean saysMore(@Nullable Long note, CounterRow row) {
        boolean isOfNew = note != null && (note == Seen.NOT_CREATED || note == row.note());
        return row.isNew() ? !isOfNew : note != null && note > row.number();
    }

    /** Whether this process knows something newer of it. A newer era ends what it knows of versions, not of numbers. */
    private boolean isOlder(int place, CounterRow row) {
        return look.known
                .server(place)
                .filter(known -> row.number() < known.number()
                        || (row.era() == known.era()
                                && !row.version().equals(known.version())
                                && row.version().count() <= known.version().count()))
                .isPresent();
    }

    /** A ticket table may be further than its number. */
    private void applyMinimum(int place, Seen seen, CounterRow row) {
        long last = Math.max(row.number(), seen.counter().orElse(0));
        long existing = minimum.existingOf(seen.numbering());
        if (CounterRules.isNextUpTo(seen.numbering(), last, minimum.raiseAbove())) {
            raise(place, minimum.raiseAbove(), false);
        } else if (CounterRules.isNextUpTo(seen.numbering(), last, existing)) {
            look.refuse(Kind.EXISTING, place, last, existing);
        }
    }

    /** Whether no other server can note that the row was created. */
    private boolean isOnly(int place) {
        return look.places().noneMatch(each -> each != place && look.mayNote(each));
    }

    /** All that is known, apart from a counter that is too far ahead of it. */
    private long reach(int place) {
        long known = look.places()
                .filter(each -> look.header(each) != null && !look.isForeign(each))
                .mapToLong(each -> rules.reached(look.seen(each)))
                .reduce(look.known.furthest(), Math::max);
        long last = look.seen(place).position();
        return last > rules.furthest(known) ? known : Math.max(known, last);
    }

    private void create(int place) {
        if (look.places().anyMatch(each -> look.offset(each).isEmpty())) {
            look.refuse(Kind.NOT_ALL_ANSWER, place);
        } else {
            raise(place, Math.max(look.seen(place).counter().orElse(0), minimum.raiseAbove()), false);
        }
    }

    /** Only this process knows that the server lost ids: one that starts would not. */
    private void mark(int place, CounterRow row) {
        CounterRow marked = new CounterRow(
                row.version().next(look.token), true, row.number(), row.identity(), row.era(), row.command());
        look.writes.add(new Write(
                place, row.version(), new ToRow(look.counter, false, marked, OptionalLong.empty(), Map.of(), false)));
    }

    private void raise(int place, long above, boolean isLoss) {
        Seen seen = look.seen(place);
        if (CounterRules.isBeyondEnd(seen, above)) {
            look.refuse(CounterRules.noRoom(place, seen, above));
        } else {
            write(place, above, OptionalLong.of(above), isLoss);
        }
    }

    /** Creates a row, or writes it anew, with notes of the others. */
    private void write(int place, long number, OptionalLong above, boolean isLoss) {
        Seen seen = look.seen(place);
        CounterRow before = seen.row();
        long count = Math.max(
                before == null ? 0 : before.version().count(),
                look.known.server(place).map(known -> known.version().count()).orElse(0L));
        long skipped = isLoss ? number / rules.maxDistance() * VERSIONS_A_DISTANCE : 0;
        Version version = new Version(Math.max(count, skipped), "").next(look.token);
        long era = Objects.requireNonNull(seen.header()).era();
        String command = before == null && !isLoss && !isOnly(place) ? CounterRow.NEW : "";
        CounterRow after = new CounterRow(version, false, number, CounterRules.identity(seen), era, command);
        boolean wasLost = before != null && before.isLost();
        look.writes.add(new Write(
                place,
                before == null ? null : before.version(),
                new ToRow(look.counter, wasLost, after, above, notes(place, before == null), isLoss)));
    }

    private Map<Long, Long> notes(int place, boolean isCreated) {
        Map<Long, Long> notes = new HashMap<>();
        look.places()
                .filter(each -> each != place)
                .forEach(each -> look.offset(each).ifPresent(offset -> {
                    CounterRow row = look.isForeign(each) ? null : look.row(each);
                    boolean isThere = row != null && !row.isNew();
                    long noted = look.places()
                            .filter(other -> look.seen.get(other) != null && !look.isForeign(other))
                            .mapToLong(other -> look.seen(other).notes().getOrDefault(offset, Seen.NOT_CREATED))
                            .reduce(Seen.NOT_CREATED, Math::max);
                    if (isThere || isCreated) {
                        notes.put(offset, isThere ? row.number() : noted);
                    }
                }));
        return notes;
    }
}
