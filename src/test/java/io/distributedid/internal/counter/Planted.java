package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RulesScenario.COUNTER;

import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A rule that is left out on purpose. It is left out around {@link CounterRules} and {@link RealignRules}: they are
 * shown something else than what a server holds, or something else is done than what they say.
 */
enum Planted {
    NONE,
    MEMBERS,
    STRANGERS,
    EVERY_HEADER_NAMES_MEMBERS,
    ALL_ANSWER,
    FIRST_OPENS_LAST,
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
    PLACE,
    MERGED,
    TOLD_IS_SEALED,
    MEMBERS_ARE_NAMED_ANEW;

    /** What a process is shown of what it read. */
    List<@Nullable Seen> shown(List<@Nullable Seen> seen, List<Integer> servers) {
        return switch (this) {
            case MEMBERS, STRANGERS -> named(seen, seen);
            case ALL_ANSWER -> answering(seen, servers);
            case NOTES -> withoutNotesAbove(seen);
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
                boolean isFirst = seen.stream()
                        .filter(Objects::nonNull)
                        .anyMatch(one -> one.header() != null && one.numbering().offset() == 1);
                yield named(seen, isFirst ? List.of() : seen);
            }
            case IDENTITY -> each(seen, Planted::withIdentityOfRow);
            case SEAL -> first.isEmpty() ? seen : each(seen, one -> sealed(one, command.id()));
            case LOOK_AFTER_SEAL -> {
                Iterator<Seen> before = first.iterator();
                yield first.isEmpty() ? seen : each(seen, one -> asBefore(one, before.next()));
            }
            case POSITION_IS_DRAWN -> each(seen, Planted::atNumber);
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

    /** Each header names {@code members}; if these are none, only the first place's does. */
    private static List<@Nullable Seen> named(List<@Nullable Seen> seen, List<@Nullable Seen> members) {
        List<String> all =
                members.stream().filter(Objects::nonNull).map(Seen::identity).toList();
        return each(seen, one -> {
            Header header = one.header();
            return header == null || (all.isEmpty() && one.numbering().offset() == 1)
                    ? one
                    : withHeader(one, with(header, header.state(), all, header.target()));
        });
    }

    /** No server notes more of another one than the row of that holds. */
    private static List<@Nullable Seen> withoutNotesAbove(List<@Nullable Seen> seen) {
        return each(seen, one -> {
            Map<Long, Long> notes = new HashMap<>(one.notes());
            notes.replaceAll((offset, note) -> {
                Seen other = offset > seen.size() ? null : seen.get(offset.intValue() - 1);
                CounterRow row = other == null ? null : other.row();
                return row == null ? note : Math.min(note, row.number());
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
        List<@Nullable Seen> shown = new ArrayList<>();
        for (int place = 0; place < seen.size(); place++) {
            Header header = first.header();
            Numbering numbering = new Numbering(servers.size(), place + 1L);
            Header follows = header == null
                    ? null
                    : new Header(
                            header.version(), State.NEW, header.token(), numbering, header.members(), 1, "", "", "");
            MemoryTables silent = MemoryTables.empty(RulesScenario.identity(servers.get(place)), false, first.largest())
                    .withHeader(COUNTER, follows);
            shown.add(seen.get(place) == null ? silent.look(COUNTER, numbering) : seen.get(place));
        }
        return shown;
    }

    private static Seen sealed(Seen seen, String id) {
        CounterRow row = seen.row();
        if (row == null) {
            return seen;
        }
        row = new CounterRow(row.version(), row.isLost(), row.number(), row.identity(), row.era(), id);
        return with(seen, seen.identity(), seen.header(), row, seen.notes(), seen.counter(), seen.isBlind());
    }

    private static Seen atNumber(Seen seen) {
        CounterRow row = seen.row();
        OptionalLong counter = row == null ? seen.counter() : OptionalLong.of(row.number());
        return with(seen, seen.identity(), seen.header(), row, seen.notes(), counter, false);
    }

    private static Seen asBefore(Seen seen, Seen first) {
        CounterRow row = seen.row();
        if (row == null || first.row() == null) {
            return seen;
        }
        row = MemoryTables.withNumber(row, first.row().number());
        return with(seen, seen.identity(), seen.header(), row, first.notes(), first.counter(), seen.isBlind());
    }

    /** What a process or a command does of what it was told. */
    List<Write> done(List<Write> writes, List<@Nullable Seen> seen) {
        return switch (this) {
            case ALL_ANSWER -> only(writes, write -> seen.get(write.place()) != null);
            case FIRST_OPENS_LAST -> {
                List<Write> reversed = new ArrayList<>(writes);
                Collections.reverse(reversed);
                yield isAny(writes, State.OPEN) ? reversed : writes;
            }
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
            case MEMBERS_ARE_NAMED_ANEW ->
                only(writes, write -> !isAny(List.of(write), State.OPEN) || !isByProcess(write));
            case MADE -> writes.stream().map(Planted::closed).toList();
            case TOLD_IS_SEALED ->
                rows(
                        writes,
                        (write, to) -> to.row().isOpen()
                                ? to.row()
                                : MemoryTables.withNumber(to.row(), numberOf(seen.get(write.place()))));
            case MOVED_BEFORE_OPEN -> {
                List<Write> late = new ArrayList<>(only(writes, write -> !isAny(List.of(write), State.MOVED)));
                late.addAll(only(writes, write -> isAny(List.of(write), State.MOVED)));
                yield late;
            }
            default -> writes;
        };
    }

    private static long numberOf(@Nullable Seen seen) {
        CounterRow row = seen == null ? null : seen.row();
        return row == null ? 0 : row.number();
    }

    private static List<Write> only(List<Write> writes, Predicate<Write> kept) {
        return writes.stream().filter(kept).toList();
    }

    private static boolean isAny(List<Write> writes, State state) {
        return writes.stream()
                .anyMatch(write ->
                        write.change() instanceof ToHeader to && to.header().state() == state);
    }

    private static boolean isByProcess(Write write) {
        return write.change() instanceof ToHeader to && to.header().command().isEmpty();
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
        CounterRow held = row == null || was == null
                ? row
                : this == MARK_LOST && written == null
                        ? MemoryTables.marked(row, was.isLost())
                        : this == GREATEST && written != null ? MemoryTables.withNumber(row, written.number()) : row;
        return held == row ? after : after.with(COUNTER, after.stored(COUNTER).withRow(held));
    }
}
