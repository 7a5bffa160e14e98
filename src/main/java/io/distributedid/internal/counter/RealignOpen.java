package io.distributedid.internal.counter;

import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.RealignLook.Part;
import io.distributedid.internal.counter.Refusal.Kind;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Seals rows, hands over and opens, once a command has closed all headers. See {@link RealignRules}. */
record RealignOpen(CounterRules rules, RealignLook look, String token) {

    Verdict verdict() {
        for (int place : look.places().toArray()) {
            Header header = look.header(place);
            if (header == null || !isClosedByUs(header)) {
                String id = header == null ? "" : header.command();
                return look.refused(
                        Refusal.of(Kind.BEATEN, place, id, look.command().id()));
            }
        }
        List<Write> seals = look.places()
                .filter(place -> !isSealed(look.seen().get(place)))
                .mapToObj(this::seal)
                .toList();
        if (!seals.isEmpty()) {
            return look.writes(seals);
        }
        Refusal why = look.lostAlone();
        if (why != null) {
            return look.refused(why);
        }
        Set<Integer> blind = look.source().places().stream()
                .filter(place -> look.seen().get(place).isBlind())
                .collect(Collectors.toSet());
        if (!blind.isEmpty()) {
            return look.doubts(blind);
        }
        long above = above();
        Refusal full = look.noRoom(above);
        return full != null ? look.refused(full) : look.writes(open(above));
    }

    private boolean isClosedByUs(Header header) {
        return header.command().equals(look.command().id())
                || (header.state() == State.MOVED
                        && header.target().equals(look.command().to()));
    }

    private boolean isSealed(Seen seen) {
        return seen.row() != null && seen.row().command().equals(look.command().id());
    }

    /** If the operator named ids, the counter stays behind the number, which shows that ids are lost. */
    private Write seal(int place) {
        Seen seen = look.seen().get(place);
        CounterRow row = seen.row();
        boolean isLost = isLost(place);
        long number = row == null ? 0 : row.number();
        long told = row != null && isLost ? 0 : told(place);
        CounterRow sealed =
                row(seen, isLost, Math.max(number, told), look.command().id());
        OptionalLong above = told > number && look.command().above() <= 0
                ? OptionalLong.of(told + seen.numbering().increment())
                : seen.counter().isPresent() ? OptionalLong.empty() : OptionalLong.of(0);
        return write(place, row, sealed, above, Map.of());
    }

    /**
     * A row that is missing, or was created anew, beside one in use becomes a lost one: a repeated command judges it
     * so, too.
     */
    private boolean isLost(int place) {
        Seen seen = look.seen().get(place);
        CounterRow row = seen.row();
        return row != null && !row.isNew()
                ? row.isLost() || CounterRules.isOther(seen)
                : look.source().contains(place)
                        && (look.command().above() == RealignCommand.LOST
                                || look.seen().stream().anyMatch(each -> isUsed(each.row())));
    }

    /** An id at or above all that only this command knows; 0 if the place is not of the target, or has no room. */
    private long told(int place) {
        Seen seen = look.seen().get(place);
        long told = Math.max(look.command().above(), look.command().least());
        boolean hasRoom =
                !CounterRules.isBeyondEnd(seen, told + seen.numbering().increment());
        return look.target().contains(place) && hasRoom ? Math.max(0, told) : 0;
    }

    private static boolean isUsed(@Nullable CounterRow row) {
        return row != null && !row.isNew();
    }

    private CounterRow row(Seen seen, boolean isLost, long number, String command) {
        CounterRow before = seen.row();
        return new CounterRow(
                before == null ? Version.first(token) : before.version().next(token),
                isLost,
                number,
                CounterRules.identity(seen),
                Objects.requireNonNull(seen.header()).era(),
                command);
    }

    private Write write(
            int place, @Nullable CounterRow before, CounterRow after, OptionalLong above, Map<Long, Long> notes) {
        boolean wasLost = before != null && before.isLost();
        return new Write(
                place,
                before == null ? null : before.version(),
                new ToRow(look.command().counter(place), wasLost, after, above, notes, false));
    }

    /** What the new list is raised to: before the rows are sealed, too. */
    long above() {
        long known = known();
        // Who must say it does not know what processes have reserved.
        boolean isLost = look.command().above() > 0
                || look.places()
                        .anyMatch(place -> isLost(place)
                                || CounterRules.hasLost(look.seen().get(place)))
                || isAnyNotedAbove(look.source())
                || isAnyNotedAbove(look.target());
        return isLost ? rules.beyondLoss(known) : known;
    }

    long highest() {
        boolean isShown = look.command().isRepair() && look.seen().stream().noneMatch(Seen::isBlind);
        return isShown ? above() : rules.beyondLoss(known());
    }

    private long known() {
        return look.seen().stream()
                .mapToLong(rules::reached)
                .reduce(Math.max(look.command().above(), look.command().least()), Math::max);
    }

    private boolean isAnyNotedAbove(Part list) {
        return list.places().stream().anyMatch(place -> {
            CounterRow row = look.seen().get(place).row();
            return list.places().stream()
                    .map(each -> look.seen()
                            .get(each)
                            .notes()
                            .get(list.numbering(place).offset()))
                    .anyMatch(note -> note != null && note > (row == null ? 0 : row.number()));
        });
    }

    private List<Write> open(long above) {
        String next =
                look.headers().filter(look::isOurs).findFirst().orElseThrow().next();
        List<Write> handOver = new ArrayList<>();
        List<Write> shared = new ArrayList<>();
        List<Write> rows = new ArrayList<>();
        List<Write> opened = new ArrayList<>();
        Part target = look.target();
        for (int i = target.places().size() - 1; i >= 0; i--) {
            int place = target.places().get(i);
            Header before = Objects.requireNonNull(look.header(place));
            Header ours = ours(place, before, next);
            if (!ours.equals(before)) {
                (look.source().contains(place) ? shared : handOver).add(write(place, before, ours));
            }
            rows.add(open(place, above));
            opened.add(write(place, ours, ours.in(State.OPEN, token)));
        }
        look.source().places().stream().filter(place -> !target.contains(place)).forEach(place -> {
            Header before = Objects.requireNonNull(look.header(place));
            if (before.state() != State.MOVED) {
                handOver.add(write(place, before, before.in(State.MOVED, token)));
            }
        });
        handOver.addAll(shared);
        handOver.addAll(rows);
        handOver.addAll(opened);
        return handOver;
    }

    private Write write(int place, Header before, Header after) {
        return new Write(place, before.version(), new ToHeader(look.command().counter(place), after));
    }

    private Write open(int place, long above) {
        Seen seen = look.seen().get(place);
        Map<Long, Long> notes = new HashMap<>();
        look.target().places().stream()
                .filter(each -> each != place)
                .forEach(each -> notes.put(look.target().numbering(each).offset(), above));
        return write(place, seen.row(), row(seen, false, above, ""), OptionalLong.of(above), notes);
    }

    /** A server of both lists becomes one of the target. */
    private Header ours(int place, Header before, String next) {
        Numbering numbering = look.target().numbering(place);
        if (before.token().equals(next) && before.numbering().equals(numbering)) {
            return before;
        }
        return new Header(
                before.version().next(token),
                before.state() == State.MADE ? State.MADE : State.CLOSED,
                next,
                numbering,
                look.members(look.target()),
                before.era(),
                look.command().id(),
                look.command().to(),
                next);
    }
}
