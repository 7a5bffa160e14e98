package io.distributedid.internal.counting;

import io.distributedid.internal.counting.Header.State;
import io.distributedid.internal.counting.Refusal.Kind;
import io.distributedid.internal.counting.Write.ToHeader;
import io.distributedid.internal.counting.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Seals rows, hands over and opens, once a command has closed all headers. See {@link RealignRules}. */
record RealignOpen(CounterRules rules, RealignLook look, String token) {

    Verdict verdict() {
        int size = look.seen().size();
        for (int place : look.places().toArray()) {
            Header header = look.header(place);
            if (header == null || !isClosedByUs(header)) {
                String id = header == null ? "" : header.command();
                return RealignRules.refused(
                        size, Refusal.of(Kind.BEATEN, place, id, look.command().id()));
            }
        }
        List<Write> seals = look.places()
                .filter(place -> !isSealed(look.seen().get(place)))
                .mapToObj(this::seal)
                .toList();
        if (!seals.isEmpty()) {
            return RealignRules.writes(size, seals);
        }
        if (look.isLostAlone()) {
            return RealignRules.refused(size, lostAlone(look));
        }
        Set<Integer> blind = look.source().stream()
                .filter(place -> look.seen().get(place).isBlind())
                .collect(Collectors.toSet());
        if (!blind.isEmpty()) {
            return new Verdict(List.of(), RealignRules.writes(size, List.of()).refusals(), blind, Set.of());
        }
        long above = above();
        return look.target().stream()
                .filter(place -> CounterRules.isBeyondEnd(look.seen().get(place), above))
                .findFirst()
                .map(place -> Refusal.of(
                        Kind.NO_ROOM, place, above, look.seen().get(place).largest()))
                .map(refusal -> RealignRules.refused(size, refusal))
                .orElseGet(() -> RealignRules.writes(size, open(above)));
    }

    static Refusal lostAlone(RealignLook look) {
        Seen seen = look.seen().get(0);
        OptionalLong counter = seen.counter();
        return Refusal.of(
                Kind.LOST_ALONE,
                0,
                counter.isPresent() ? counter.getAsLong() : "missing",
                seen.row() == null ? 0 : seen.row().number());
    }

    private boolean isClosedByUs(Header header) {
        return header.command().equals(look.command().id())
                || (header.state() == State.MOVED
                        && header.target().equals(look.command().to()));
    }

    private boolean isSealed(Seen seen) {
        return seen.row() != null && seen.row().command().equals(look.command().id());
    }

    /** A row that is missing is created as a lost one, so that a repeated command judges it so, too. */
    private Write seal(int place) {
        Seen seen = look.seen().get(place);
        CounterRow row = seen.row();
        boolean isLost = row == null
                ? look.source().contains(place) && look.seen().stream().anyMatch(each -> each.row() != null)
                : row.isLost() || CounterRules.isOther(seen);
        CounterRow sealed = new CounterRow(
                row == null ? Version.first(token) : row.version().next(token),
                isLost,
                row == null ? 0 : row.number(),
                seen.identity(),
                Objects.requireNonNull(seen.header()).era(),
                look.command().id());
        OptionalLong above = seen.counter().isPresent() ? OptionalLong.empty() : OptionalLong.of(0);
        return new Write(
                place,
                row == null ? null : row.version(),
                new ToRow(look.counter(place), row != null && row.isLost(), sealed, above, Map.of(), false));
    }

    /** What the new list is raised to. */
    private long above() {
        long known = look.seen().stream()
                .mapToLong(rules::reached)
                .reduce(look.command().above(), Math::max);
        boolean isLost = look.seen().stream().anyMatch(CounterRules::hasLost)
                || look.source().stream().anyMatch(place -> isNotedAbove(place, look.source(), look.ofSource(place)))
                || look.target().stream().anyMatch(place -> isNotedAbove(place, look.target(), look.ofTarget(place)));
        return isLost ? rules.beyondLoss(known) : known;
    }

    private boolean isNotedAbove(int place, List<Integer> list, Numbering numbering) {
        long number = Objects.requireNonNull(look.seen().get(place).row()).number();
        return list.stream()
                .map(each -> look.seen().get(each).notes().get(numbering.offset()))
                .anyMatch(note -> note != null && note > number);
    }

    private List<Write> open(long above) {
        String next =
                look.headers().filter(look::isOurs).findFirst().orElseThrow().next();
        List<Write> handOver = new ArrayList<>();
        List<Write> shared = new ArrayList<>();
        List<Write> rows = new ArrayList<>();
        List<Write> opened = new ArrayList<>();
        for (int i = look.target().size() - 1; i >= 0; i--) {
            int place = look.target().get(i);
            Header before = Objects.requireNonNull(look.header(place));
            Header ours = ours(place, before, next);
            if (!ours.equals(before)) {
                (look.source().contains(place) ? shared : handOver).add(write(place, before, ours));
            }
            rows.add(open(place, above));
            opened.add(write(place, ours, ours.in(State.OPEN, token)));
        }
        look.source().stream().filter(place -> !look.target().contains(place)).forEach(place -> {
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
        return new Write(place, before.version(), new ToHeader(look.counter(place), after));
    }

    private Write open(int place, long above) {
        Seen seen = look.seen().get(place);
        CounterRow row = Objects.requireNonNull(seen.row());
        CounterRow open = new CounterRow(
                row.version().next(token),
                false,
                above,
                seen.identity(),
                Objects.requireNonNull(seen.header()).era(),
                "");
        Map<Long, Long> notes = new HashMap<>();
        look.target().stream()
                .filter(each -> each != place)
                .forEach(each -> notes.put(look.ofTarget(each).offset(), above));
        return new Write(
                place,
                row.version(),
                new ToRow(look.counter(place), row.isLost(), open, OptionalLong.of(above), notes, false));
    }

    /** A server of both lists becomes one of the target. */
    private Header ours(int place, Header before, String next) {
        if (before.token().equals(next) && before.numbering().equals(look.ofTarget(place))) {
            return before;
        }
        return new Header(
                before.version().next(token),
                before.state() == State.MADE ? State.MADE : State.CLOSED,
                next,
                look.ofTarget(place),
                look.members(look.target()),
                before.era(),
                look.command().id(),
                look.command().to(),
                next);
    }
}
