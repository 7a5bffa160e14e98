package io.distributedid.internal.counting;

import static io.distributedid.internal.counting.RulesScenario.COUNTER;

import io.distributedid.internal.counting.Header.State;
import io.distributedid.internal.counting.Write.ToHeader;
import io.distributedid.internal.counting.Write.ToNote;
import io.distributedid.internal.counting.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rule that is left out on purpose. It is left out around {@link CounterRules} and {@link RealignRules}: they are
 * shown something else than what a server holds, or something else is done than what they say.
 */
enum Planted {
    NONE,
    MEMBERS,
    EVERY_HEADER_NAMES_MEMBERS,
    ALL_ANSWER,
    FIRST_OPENS_LAST,
    MARK,
    MARK_ENDS_BEFORE_CREATION,
    NOTES,
    SECOND_READ,
    FIRST_SPEAKS,
    IDENTITY,
    BROKEN_CONNECTION_ENDS_LOOK,
    VERSION_IN_DRAW,
    MARK_LOST,
    GREATEST,
    VERSION_SKIPS,
    SEAL,
    LOOK_AFTER_SEAL,
    LOST_IS_SEALED,
    POSITION_IS_DRAWN,
    TARGET,
    MADE,
    MOVED_BEFORE_OPEN,
    PLACE;

    // --- What is shown ---

    /** What a process is shown of what it read. */
    List<@Nullable Seen> shown(List<@Nullable Seen> seen, List<Integer> servers) {
        return switch (this) {
            case MEMBERS -> named(seen, seen);
            case ALL_ANSWER -> answering(seen, servers);
            case MARK -> noted(seen, (row, note) -> row == null ? Seen.NOT_CREATED : note);
            case NOTES -> noted(seen, (row, note) -> row == null ? note : Math.min(note, row.number()));
            case IDENTITY -> each(seen, Planted::withIdentityOfRow);
            default -> seen;
        };
    }

    /**
     * What a command is shown of what it read.
     *
     * @param first what it read before it closed
     */
    List<@Nullable Seen> shown(List<@Nullable Seen> seen, List<Seen> first, RealignCommand command) {
        return switch (this) {
            case MEMBERS -> named(seen, seen);
            case EVERY_HEADER_NAMES_MEMBERS -> {
                boolean isFirst = seen.stream().anyMatch(one -> one != null && isFirst(one));
                yield named(seen, isFirst ? List.of() : seen);
            }
            case IDENTITY -> each(seen, Planted::withIdentityOfRow);
            case SEAL -> first.isEmpty() ? seen : each(seen, one -> sealed(one, command.id()));
            case LOOK_AFTER_SEAL ->
                first.isEmpty()
                        ? seen
                        : new ArrayList<>(IntStream.range(0, seen.size())
                                .mapToObj(place -> asBefore(Objects.requireNonNull(seen.get(place)), first.get(place)))
                                .toList());
            case POSITION_IS_DRAWN ->
                each(seen, one -> {
                    CounterRow row = one.row();
                    OptionalLong counter = row == null ? one.counter() : OptionalLong.of(row.number());
                    return with(one, one.identity(), one.header(), row, one.notes(), counter, false);
                });
            case TARGET ->
                each(seen, one -> {
                    Header header = one.header();
                    return header == null || header.target().isEmpty()
                            ? one
                            : withHeader(one, with(header, header.state(), header.members(), command.to()));
                });
            default -> seen;
        };
    }

    private static List<@Nullable Seen> each(List<@Nullable Seen> seen, UnaryOperator<Seen> change) {
        List<@Nullable Seen> changed = new ArrayList<>();
        seen.forEach(one -> changed.add(one == null ? null : change.apply(one)));
        return changed;
    }

    private static Seen with(
            Seen seen,
            String identity,
            @Nullable Header header,
            @Nullable CounterRow row,
            Map<Long, Long> notes,
            OptionalLong counter,
            boolean isBlind) {
        return new Seen(identity, seen.numbering(), header, row, notes, counter, isBlind, seen.largest());
    }

    private static Seen withHeader(Seen seen, @Nullable Header header) {
        return with(seen, seen.identity(), header, seen.row(), seen.notes(), seen.counter(), seen.isBlind());
    }

    private static Header with(Header header, State state, List<String> members, String target) {
        return new Header(
                header.version(),
                state,
                header.token(),
                header.numbering(),
                members,
                header.era(),
                header.command(),
                target,
                header.next());
    }

    private static Seen withIdentityOfRow(Seen seen) {
        CounterRow row = seen.row();
        String identity = row == null ? seen.identity() : row.identity();
        return with(seen, identity, seen.header(), row, seen.notes(), seen.counter(), seen.isBlind());
    }

    private static boolean isFirst(Seen seen) {
        return seen.header() != null && seen.header().numbering().offset() == 1;
    }

    /** Each header names {@code members}; if these are none, only the first place's does. */
    private static List<@Nullable Seen> named(List<@Nullable Seen> seen, List<@Nullable Seen> members) {
        List<String> all =
                members.stream().filter(Objects::nonNull).map(Seen::identity).toList();
        return each(seen, one -> {
            Header header = one.header();
            return header == null || (all.isEmpty() && isFirst(one))
                    ? one
                    : withHeader(one, with(header, header.state(), all, header.target()));
        });
    }

    private static List<@Nullable Seen> noted(
            List<@Nullable Seen> seen, BiFunction<@Nullable CounterRow, Long, Long> change) {
        return each(seen, one -> {
            Map<Long, Long> notes = new HashMap<>(one.notes());
            notes.replaceAll((offset, note) -> {
                Seen other = offset > seen.size() ? null : seen.get(offset.intValue() - 1);
                return change.apply(other == null ? null : other.row(), note);
            });
            return with(one, one.identity(), one.header(), one.row(), notes, one.counter(), one.isBlind());
        });
    }

    /** Until the first header is open, a silent server looks as if it followed the first one. */
    private static List<@Nullable Seen> answering(List<@Nullable Seen> seen, List<Integer> servers) {
        Seen first = seen.get(0);
        if (first == null || (first.header() != null && first.header().state() == State.OPEN)) {
            return seen;
        }
        List<@Nullable Seen> shown = new ArrayList<>(seen);
        for (int place = 1; place < seen.size(); place++) {
            Header header = first.header();
            Numbering numbering = RulesScenario.numbering(servers, place);
            Header follows = header == null
                    ? null
                    : new Header(
                            header.version(), State.NEW, header.token(), numbering, header.members(), 1, "", "", "");
            if (seen.get(place) == null) {
                String identity = RulesScenario.identity(servers.get(place));
                shown.set(
                        place,
                        new Seen(
                                identity,
                                numbering,
                                follows,
                                null,
                                Map.of(),
                                OptionalLong.empty(),
                                false,
                                first.largest()));
            }
        }
        return shown;
    }

    private static Seen sealed(Seen seen, String id) {
        CounterRow row = seen.row();
        CounterRow sealed = row == null
                ? null
                : new CounterRow(row.version(), row.isLost(), row.number(), row.identity(), row.era(), id);
        return with(seen, seen.identity(), seen.header(), sealed, seen.notes(), seen.counter(), seen.isBlind());
    }

    private static Seen asBefore(Seen seen, Seen first) {
        CounterRow row = seen.row();
        CounterRow before = first.row();
        CounterRow shown = row == null || before == null ? row : MemoryTables.withNumber(row, before.number());
        return before == null
                ? seen
                : with(seen, seen.identity(), seen.header(), shown, first.notes(), first.counter(), seen.isBlind());
    }

    // --- What is done ---

    /** What a process or a command does of what it was told. */
    List<Write> done(List<Write> writes, List<@Nullable Seen> seen) {
        return switch (this) {
            case ALL_ANSWER ->
                writes.stream().filter(write -> seen.get(write.place()) != null).toList();
            case MARK ->
                writes.stream()
                        .filter(write -> !(write.change() instanceof ToNote))
                        .toList();
            case FIRST_OPENS_LAST -> isAny(writes, State.OPEN) ? reversed(writes) : writes;
            case MARK_ENDS_BEFORE_CREATION ->
                writes.stream()
                        .filter(write -> !(write.change() instanceof ToNote note) || !isCreated(writes, note))
                        .toList();
            case VERSION_SKIPS ->
                rows(writes, (write, to) -> {
                    CounterRow row = to.row();
                    long before =
                            write.expected() == null ? 0 : write.expected().count();
                    Version version = new Version(before + 1, row.version().random());
                    return to.isLoss()
                            ? new CounterRow(version, false, row.number(), row.identity(), row.era(), "")
                            : row;
                });
            case LOST_IS_SEALED -> rows(writes, (write, to) -> MemoryTables.marked(to.row(), false));
            case MADE -> writes.stream().map(Planted::closed).toList();
            case MOVED_BEFORE_OPEN ->
                Stream.concat(
                                writes.stream().filter(write -> !isAny(List.of(write), State.MOVED)),
                                writes.stream().filter(write -> isAny(List.of(write), State.MOVED)))
                        .toList();
            default -> writes;
        };
    }

    private static boolean isAny(List<Write> writes, State state) {
        return writes.stream()
                .anyMatch(write ->
                        write.change() instanceof ToHeader to && to.header().state() == state);
    }

    private static List<Write> reversed(List<Write> writes) {
        List<Write> all = new ArrayList<>(writes);
        Collections.reverse(all);
        return all;
    }

    private static boolean isCreated(List<Write> writes, ToNote note) {
        return writes.stream()
                .anyMatch(write -> write.change() instanceof ToRow
                        && write.expected() == null
                        && write.place() == note.offset() - 1);
    }

    private static List<Write> rows(List<Write> writes, BiFunction<Write, ToRow, CounterRow> change) {
        return writes.stream()
                .map(write -> write.change() instanceof ToRow to
                        ? new Write(
                                write.place(),
                                write.expected(),
                                new ToRow(
                                        to.counter(),
                                        to.wasLost(),
                                        change.apply(write, to),
                                        to.above(),
                                        to.notes(),
                                        to.isLoss()))
                        : write)
                .toList();
    }

    private static Write closed(Write write) {
        if (!(write.change() instanceof ToHeader to) || to.header().state() != State.MADE) {
            return write;
        }
        Header closed = with(
                to.header(), State.CLOSED, to.header().members(), to.header().target());
        return new Write(write.place(), write.expected(), new ToHeader(to.counter(), closed));
    }

    // --- What a server does ---

    /** What a server makes of a draw. */
    Draw asked(Draw draw, @Nullable CounterRow row) {
        return this == VERSION_IN_DRAW && row != null
                ? new Draw(draw.counter(), draw.wanted(), row.version(), draw.known(), draw.furthest(), draw.notes())
                : draw;
    }

    /** What a server holds after a draw, or after a row was written. */
    MemoryTables held(MemoryTables before, MemoryTables after, @Nullable CounterRow written) {
        CounterRow row = after.row(COUNTER);
        CounterRow was = before.row(COUNTER);
        if (row != null && was != null && this == MARK_LOST && written == null) {
            return after.with(COUNTER, after.stored(COUNTER).withRow(MemoryTables.marked(row, was.isLost())));
        }
        return row != null && was != null && this == GREATEST && written != null
                ? after.with(COUNTER, after.stored(COUNTER).withRow(MemoryTables.withNumber(row, written.number())))
                : after;
    }
}
