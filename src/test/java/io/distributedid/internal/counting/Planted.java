package io.distributedid.internal.counting;

import io.distributedid.internal.counting.Header.State;
import io.distributedid.internal.counting.Write.ToHeader;
import io.distributedid.internal.counting.Write.ToNote;
import io.distributedid.internal.counting.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
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

    // --- A process ---

    /** What a process is shown of what it read. */
    List<@Nullable Seen> shown(List<@Nullable Seen> seen, List<Integer> servers) {
        return switch (this) {
            case MEMBERS -> named(seen);
            case ALL_ANSWER -> answering(seen, servers);
            case MARK -> each(seen, one -> withNotes(one, (offset, note) -> row(seen, offset) == null ? -1 : note));
            case NOTES ->
                each(
                        seen,
                        one -> withNotes(one, (offset, note) -> {
                            CounterRow row = row(seen, offset);
                            return row == null ? note : Math.min(note, row.number());
                        }));
            case IDENTITY -> each(seen, Planted::withIdentityOfRow);
            default -> seen;
        };
    }

    /** The change of a note. */
    private interface Note {

        long of(long offset, long note);
    }

    private static List<@Nullable Seen> each(List<@Nullable Seen> seen, java.util.function.UnaryOperator<Seen> change) {
        return new ArrayList<>(
                seen.stream().map(one -> one == null ? null : change.apply(one)).toList());
    }

    private static @Nullable CounterRow row(List<@Nullable Seen> seen, long offset) {
        Seen one = offset > seen.size() ? null : seen.get((int) offset - 1);
        return one == null ? null : one.row();
    }

    private static Seen with(Seen seen, @Nullable Header header, @Nullable CounterRow row) {
        return new Seen(
                seen.identity(),
                seen.numbering(),
                header,
                row,
                seen.notes(),
                seen.counter(),
                seen.isBlind(),
                seen.largest());
    }

    private static Seen withNotes(Seen seen, Note change) {
        Map<Long, Long> notes = new java.util.HashMap<>(seen.notes());
        notes.replaceAll(change::of);
        return new Seen(
                seen.identity(),
                seen.numbering(),
                seen.header(),
                seen.row(),
                notes,
                seen.counter(),
                seen.isBlind(),
                seen.largest());
    }

    private static Seen withIdentityOfRow(Seen seen) {
        return new Seen(
                seen.row() == null ? seen.identity() : seen.row().identity(),
                seen.numbering(),
                seen.header(),
                seen.row(),
                seen.notes(),
                seen.counter(),
                seen.isBlind(),
                seen.largest());
    }

    private static Header header(Header header, List<String> members, String target) {
        return new Header(
                header.version(),
                header.state(),
                header.token(),
                header.numbering(),
                members,
                header.era(),
                header.command(),
                target,
                header.next());
    }

    /** Each header names all servers. */
    private static List<@Nullable Seen> named(List<@Nullable Seen> seen) {
        List<String> all =
                seen.stream().filter(Objects::nonNull).map(Seen::identity).toList();
        return each(
                seen,
                one -> one.header() == null
                        ? one
                        : with(one, header(one.header(), all, one.header().target()), one.row()));
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
            Numbering numbering = RulesScenario.numbering(servers, place);
            Header follows = header == null
                    ? null
                    : new Header(
                            header.version(), State.NEW, header.token(), numbering, header.members(), 1, "", "", "");
            String identity = RulesScenario.identity(servers.get(place));
            Seen silent =
                    new Seen(identity, numbering, follows, null, Map.of(), OptionalLong.empty(), false, Long.MAX_VALUE);
            shown.add(seen.get(place) == null ? silent : seen.get(place));
        }
        return shown;
    }

    /** What a process does of what it was told. */
    List<Write> done(List<Write> writes, List<@Nullable Seen> seen) {
        return switch (this) {
            case ALL_ANSWER ->
                writes.stream().filter(write -> seen.get(write.place()) != null).toList();
            case FIRST_OPENS_LAST -> reversedOpening(writes);
            case MARK_ENDS_BEFORE_CREATION ->
                writes.stream()
                        .filter(write -> !(write.change() instanceof ToNote note) || !isCreated(writes, note))
                        .toList();
            case VERSION_SKIPS -> writes.stream().map(Planted::withoutSkip).toList();
            default -> writes;
        };
    }

    private static List<Write> reversedOpening(List<Write> writes) {
        boolean isOpening = writes.stream()
                .anyMatch(write ->
                        write.change() instanceof ToHeader to && to.header().state() == State.OPEN);
        List<Write> all = new ArrayList<>(writes);
        if (isOpening) {
            Collections.reverse(all);
        }
        return all;
    }

    private static boolean isCreated(List<Write> writes, ToNote note) {
        return writes.stream()
                .anyMatch(write -> write.change() instanceof ToRow
                        && write.expected() == null
                        && write.place() == note.offset() - 1);
    }

    private static Write withoutSkip(Write write) {
        if (!(write.change() instanceof ToRow to) || !to.isLoss()) {
            return write;
        }
        long before = write.expected() == null ? 0 : write.expected().count();
        Version version = new Version(before + 1, to.row().version().random());
        CounterRow row = to.row();
        return with(write, to, new CounterRow(version, false, row.number(), row.identity(), row.era(), row.command()));
    }

    private static Write with(Write write, ToRow to, CounterRow row) {
        return new Write(
                write.place(),
                write.expected(),
                new ToRow(to.counter(), to.wasLost(), row, to.above(), to.notes(), to.isLoss()));
    }

    // --- A command ---

    /**
     * What a command is shown of what it read.
     *
     * @param first what it read before it closed
     */
    List<@Nullable Seen> shown(List<@Nullable Seen> seen, List<Seen> first, RealignCommand command) {
        return switch (this) {
            case MEMBERS -> named(seen);
            case EVERY_HEADER_NAMES_MEMBERS -> namedByFirst(seen);
            case IDENTITY -> each(seen, Planted::withIdentityOfRow);
            case SEAL ->
                first.isEmpty()
                        ? seen
                        : each(seen, one -> one.row() == null ? one : with(one, one.header(), sealed(one, command)));
            case LOOK_AFTER_SEAL ->
                first.isEmpty()
                        ? seen
                        : new ArrayList<>(IntStream.range(0, seen.size())
                                .mapToObj(place -> asBefore(Objects.requireNonNull(seen.get(place)), first.get(place)))
                                .toList());
            case POSITION_IS_DRAWN -> each(seen, Planted::seeing);
            case TARGET -> each(seen, one -> one.header() == null ? one : ours(one, command));
            default -> seen;
        };
    }

    private static List<@Nullable Seen> namedByFirst(List<@Nullable Seen> seen) {
        boolean isFirst = headers(seen).anyMatch(header -> header.numbering().offset() == 1);
        List<String> all =
                seen.stream().filter(Objects::nonNull).map(Seen::identity).toList();
        return each(seen, one -> {
            Header header = one.header();
            List<String> members = isFirst ? List.of() : all;
            return header == null || header.numbering().offset() == 1
                    ? one
                    : with(one, header(header, members, header.target()), one.row());
        });
    }

    private static Stream<Header> headers(List<@Nullable Seen> seen) {
        return seen.stream().filter(Objects::nonNull).map(Seen::header).filter(Objects::nonNull);
    }

    private static CounterRow sealed(Seen seen, RealignCommand command) {
        CounterRow row = Objects.requireNonNull(seen.row());
        return new CounterRow(row.version(), row.isLost(), row.number(), row.identity(), row.era(), command.id());
    }

    private static Seen asBefore(Seen seen, Seen first) {
        CounterRow row = seen.row();
        CounterRow before = first.row();
        return row == null || before == null
                ? seen
                : new Seen(
                        seen.identity(),
                        seen.numbering(),
                        seen.header(),
                        MemoryTables.withNumber(row, before.number()),
                        first.notes(),
                        first.counter(),
                        seen.isBlind(),
                        seen.largest());
    }

    /** The counter lies at its number. */
    private static Seen seeing(Seen seen) {
        OptionalLong counter =
                seen.row() == null ? seen.counter() : OptionalLong.of(seen.row().number());
        return new Seen(
                seen.identity(),
                seen.numbering(),
                seen.header(),
                seen.row(),
                seen.notes(),
                counter,
                false,
                seen.largest());
    }

    private static Seen ours(Seen seen, RealignCommand command) {
        Header header = Objects.requireNonNull(seen.header());
        boolean isForAnother = !header.target().isEmpty();
        return isForAnother ? with(seen, header(header, header.members(), command.to()), seen.row()) : seen;
    }

    /** What a command does of what it was told. */
    List<Write> done(List<Write> writes) {
        return switch (this) {
            case LOST_IS_SEALED ->
                writes.stream()
                        .map(write -> write.change() instanceof ToRow to
                                ? with(write, to, MemoryTables.marked(to.row(), false))
                                : write)
                        .toList();
            case MADE -> writes.stream().map(Planted::closed).toList();
            case MOVED_BEFORE_OPEN ->
                Stream.concat(
                                writes.stream().filter(write -> !isMoved(write)),
                                writes.stream().filter(Planted::isMoved))
                        .toList();
            default -> writes;
        };
    }

    private static boolean isMoved(Write write) {
        return write.change() instanceof ToHeader to && to.header().state() == State.MOVED;
    }

    private static Write closed(Write write) {
        if (!(write.change() instanceof ToHeader to) || to.header().state() != State.MADE) {
            return write;
        }
        Header header = to.header();
        return new Write(
                write.place(),
                write.expected(),
                new ToHeader(
                        to.counter(),
                        new Header(
                                header.version(),
                                State.CLOSED,
                                header.token(),
                                header.numbering(),
                                header.members(),
                                header.era(),
                                header.command(),
                                header.target(),
                                header.next())));
    }

    // --- A server ---

    /** What a server is asked. */
    Draw asked(Draw draw, @Nullable CounterRow row) {
        return this == VERSION_IN_DRAW && row != null
                ? new Draw(draw.counter(), draw.wanted(), row.version(), draw.known(), draw.furthest(), draw.notes())
                : draw;
    }

    /** What a server holds after a draw or a write. */
    MemoryTables held(MemoryTables before, MemoryTables after, @Nullable CounterRow written) {
        CounterRow row = after.row(RulesScenario.COUNTER);
        CounterRow was = before.row(RulesScenario.COUNTER);
        if (row == null || was == null) {
            return after;
        }
        if (this == MARK_LOST && written == null && row.isLost() && !was.isLost()) {
            return withRow(after, MemoryTables.marked(row, false));
        }
        return this == GREATEST && written != null
                ? withRow(after, MemoryTables.withNumber(row, written.number()))
                : after;
    }

    private static MemoryTables withRow(MemoryTables tables, CounterRow row) {
        return tables.with(
                RulesScenario.COUNTER, tables.stored(RulesScenario.COUNTER).withRow(row));
    }
}
