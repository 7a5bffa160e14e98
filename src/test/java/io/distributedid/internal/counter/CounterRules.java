package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RuleTables.NONE;
import static io.distributedid.internal.counter.RuleTables.NOT_CREATED;

import io.distributedid.internal.counter.RuleTables.Header;
import io.distributedid.internal.counter.RuleTables.Row;
import io.distributedid.internal.counter.RuleTables.State;
import io.distributedid.internal.counter.RuleTables.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Decides from one look at all servers of a list what must change before ids may be drawn, or why none may. It changes
 * nothing, and knows of other processes only by what it sees. The rules hold together as {@link RulesModelTest}
 * explores them:
 *
 * <ul>
 *   <li><b>One speaks of itself last.</b> Read each server once. What others say against one (a note above its number,
 *       a row or a header that it lacks, a newer era) is a verdict only after that server was read once more; what a
 *       second read says of others is not asked. Otherwise a draw between two reads looks like a loss.
 *   <li><b>First use.</b> All servers answer. The header of the first place is created with a random token, then the
 *       others with that. Every header names the identities of all members. They are opened, the first place's last,
 *       once a look has seen all with one token and these members.
 *   <li><b>Members.</b> A process that knows nothing yet is refused by all if a server of its list has no header and is
 *       named by none: its list is another one, and it does not see the notes of the true peer.
 *   <li><b>New counter.</b> The first row notes that the others are not created. Only this note permits to create one
 *       later, and it ends before the row is created. A process that stops in between leaves what counts as a loss.
 *   <li><b>Loss.</b> The mark LOST; no row beside one that knows of it; no counter; a counter below the number (not of
 *       tickets); an older version, or a lower number of a version, than this process knows; a number below a peer's
 *       note; another identity than the row's.
 *   <li><b>What follows.</b> With a peer, or with another identity: a raise by twice the distance above all that is
 *       known, once, with a version that skips what may have been lost. Alone: refused. A server that merely lags is
 *       raised to what is known.
 *   <li><b>Bounds.</b> A counter further than {@link #FAR} above all that is known is refused, and not followed.
 *   <li><b>Era.</b> A header or a row with an older era than any that was seen is refused, never raised.
 *   <li><b>Draw.</b> It compares the row's version and state, and gives an id only above the row's number and above
 *       what the process knows. In the same transaction it writes its id and what it knows of the others. A new
 *       connection begins with a look, and a broken one ends a look and the changes that follow.
 *   <li><b>Place.</b> Before its first draw, a process compares the token with the one that the application's database
 *       remembers.
 * </ul>
 *
 * <p>The class is long because the rules share what was seen.
 *
 * @param maxDistance a server that lies further behind the others is raised; one that lost ids is raised by twice as
 *     much
 * @param tickets whether a look can't see how far a counter is
 * @param omission the rule that is left out on purpose
 */
record CounterRules(int maxDistance, boolean tickets, Omission omission) {

    /** A rule that is left out. */
    enum Omission {
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
        PLACE
    }

    /** Why a server is not used. */
    enum Refusal {
        SILENT,
        NOT_ALL_ANSWER,
        NUMBERING,
        MEMBERS,
        TOKEN,
        CLOSED,
        MOVED,
        LEFT_BEHIND,
        HEADER_LOST,
        LOST_ALONE,
        TOO_FAR,
        USED,
        TARGET,
        BEATEN
    }

    /** Nothing is raised by itself further than this above all that is known. */
    static final int FAR = 20;

    /** A server that lost ids may have lost versions that processes know. */
    private static final int LOST_VERSIONS = 16;

    /**
     * What a process knows.
     *
     * @param token 0 if it knows none
     * @param versions by place, 0 if it knows none
     * @param numbers by place: the furthest that it drew or saw under that version
     */
    record Known(int token, int era, List<Integer> versions, List<Integer> numbers) {

        static Known nothing(int token, int servers) {
            return new Known(token, 0, Collections.nCopies(servers, 0), Collections.nCopies(servers, NONE));
        }

        int furthest() {
            return numbers.stream().reduce(0, Math::max);
        }
    }

    /**
     * @param writes in this order; after all of them, or one that was refused, look again
     * @param refusals by place, null if the server may be used; counts if there are no writes
     * @param doubts places to be read once more before this is a verdict, since others spoke against them
     * @param losses places that lost ids
     */
    record Verdict(List<Write> writes, List<Refusal> refusals, Set<Integer> doubts, Set<Integer> losses) {

        static Verdict refused(int size, Refusal why) {
            return new Verdict(List.of(), Collections.nCopies(size, why), Set.of(), Set.of());
        }
    }

    /**
     * @param servers the list, by place
     * @param first by place, null if a server did not answer
     * @param seen the same, or what a second read showed
     * @param random of what is written
     */
    Verdict plan(List<Integer> servers, List<RuleTables> first, List<RuleTables> seen, Known known, int random) {
        return new Look(servers, first, seen, known, random).verdict();
    }

    /** Whether what a server holds shows that it lost ids, without what others say. */
    boolean hasLost(RuleTables seen) {
        Row row = seen.row();
        return row != null && (row.lost() || seen.counter() == NONE || (!tickets && seen.counter() < row.number()));
    }

    /**
     * How far a server says that ids may have been given, by itself and others, unless its counter is too far ahead.
     *
     * @param blind whether the counter can't be seen
     */
    static int reached(RuleTables seen, boolean blind) {
        int number = seen.row() == null ? 0 : seen.row().number();
        int noted = seen.notes().stream().reduce(0, Math::max);
        int counter = blind || seen.counter() > Math.max(number, noted) + FAR ? 0 : seen.counter();
        return Math.max(number, Math.max(noted, counter));
    }

    /** One look, and what is decided from it. */
    private final class Look {

        private final List<Integer> servers;

        /** What others say is taken from here: it was read before the second read of those of whom they speak. */
        private final List<RuleTables> first;

        private final List<RuleTables> seen;

        private final Known known;

        private final int random;

        private final int size;

        private final List<Refusal> refusals = new ArrayList<>();

        private final List<Write> writes = new ArrayList<>();

        private final Set<Integer> doubts = new TreeSet<>();

        private final Set<Integer> losses = new TreeSet<>();

        Look(List<Integer> servers, List<RuleTables> first, List<RuleTables> seen, Known known, int random) {
            this.servers = servers;
            this.first = omission == Omission.FIRST_SPEAKS ? seen : first;
            this.seen = seen;
            this.known = known;
            this.random = random;
            this.size = servers.size();
            seen.forEach(each -> refusals.add(each == null ? Refusal.SILENT : null));
        }

        Verdict verdict() {
            headers();
            if (writes.isEmpty()) {
                rows();
            }
            return new Verdict(writes, refusals, doubts, losses);
        }

        private Header header(int place) {
            return seen.get(place) == null ? null : seen.get(place).header();
        }

        private Row row(int place) {
            return seen.get(place) == null ? null : seen.get(place).row();
        }

        private Row spokenRow(int place) {
            return first.get(place) == null ? null : first.get(place).row();
        }

        private IntStream places() {
            return IntStream.range(0, size);
        }

        private IntStream usable() {
            return places().filter(place -> refusals.get(place) == null);
        }

        private boolean anyHeader(State state) {
            return places().anyMatch(
                            place -> header(place) != null && header(place).state() == state);
        }

        private void refuseAll(Refusal why) {
            usable().forEach(place -> refusals.set(place, why));
        }

        private void headers() {
            List<Header> headers =
                    places().mapToObj(this::header).filter(Objects::nonNull).toList();
            places().filter(place -> header(place) != null && header(place).state() == State.MOVED)
                    .forEach(place -> refusals.set(place, Refusal.MOVED));
            if (places().anyMatch(place -> header(place) != null
                    && refusals.get(place) == null
                    && !header(place).numbers(size, place))) {
                refuseAll(Refusal.NUMBERING);
                return;
            }
            Set<Integer> tokens = headers.stream().map(Header::token).collect(Collectors.toSet());
            if (known.token() == 0 && tokens.size() > 1) {
                refuseAll(Refusal.TOKEN);
                return;
            }
            usable().filter(place -> header(place) != null)
                    .filter(place -> known.token() != 0 && header(place).token() != known.token())
                    .forEach(place -> refusals.set(place, Refusal.TOKEN));
            boolean silentFirst = seen.get(0) == null;
            boolean firstIsOpen = header(0) != null && header(0).state() == State.OPEN;
            if (headers.isEmpty() && known.token() != 0) {
                refuseAll(Refusal.HEADER_LOST);
            } else if (anyHeader(State.NEW) && !firstIsOpen
                    || (headers.isEmpty() && !silentFirst)
                    || (silentFirst && !anyHeader(State.OPEN))) {
                firstUse();
            }
            if (!writes.isEmpty()) {
                return;
            }
            boolean isNew = known.versions().stream().allMatch(version -> version == 0);
            boolean isForeign = headers.stream().anyMatch(header -> header.state() == State.OPEN)
                    && places().anyMatch(place -> seen.get(place) != null
                            && header(place) == null
                            && headers.stream()
                                    .noneMatch(header -> header.members()
                                            .contains(seen.get(place).identity())));
            if (isNew && isForeign && omission != Omission.MEMBERS) {
                refuseAll(Refusal.MEMBERS);
            }
            int era =
                    first.stream().filter(Objects::nonNull).map(RuleTables::era).reduce(known.era(), Math::max);
            usable().forEach(place -> {
                Header header = header(place);
                boolean isLost = header == null || (header.state() == State.NEW && firstIsOpen);
                boolean isOld = header != null
                        && (header.era() < era
                                || (row(place) != null && row(place).era() < era));
                if (isLost || isOld) {
                    refusals.set(place, isLost ? Refusal.HEADER_LOST : Refusal.LEFT_BEHIND);
                    doubts.add(place);
                } else if (header.state() != State.OPEN) {
                    refusals.set(place, header.state() == State.NEW ? Refusal.NOT_ALL_ANSWER : Refusal.CLOSED);
                }
            });
        }

        /** Headers are created closed, the first one first, and opened once all agree, the first one last. */
        private void firstUse() {
            boolean all = places().allMatch(place -> seen.get(place) != null && refusals.get(place) == null);
            if ((!all && omission != Omission.ALL_ANSWER) || anyHeader(State.CLOSED) || anyHeader(State.MADE)) {
                return;
            }
            Header first = header(0);
            List<Integer> members = places().mapToObj(place ->
                            seen.get(place) == null ? NONE : seen.get(place).identity())
                    .toList();
            if (first == null) {
                boolean others = this.first.stream().anyMatch(each -> each != null && each.header() != null);
                if (!others && places().anyMatch(place -> header(place) != null)) {
                    refuseAll(Refusal.NOT_ALL_ANSWER);
                    return;
                }
                long used = places().filter(place ->
                                seen.get(place) != null && seen.get(place).counter() != NONE)
                        .count();
                if (others || (used > 0 && used < size)) {
                    refuseAll(others ? Refusal.HEADER_LOST : Refusal.USED);
                    doubts.add(0);
                } else {
                    writes.add(creation(0, random, members));
                }
                return;
            }
            if (places().anyMatch(place ->
                            header(place) != null && !header(place).members().equals(members))
                    && omission != Omission.MEMBERS) {
                refuseAll(Refusal.MEMBERS);
                return;
            }
            places().filter(place -> header(place) == null && seen.get(place) != null)
                    .forEach(place -> writes.add(creation(place, first.token(), members)));
            if (writes.isEmpty()) {
                places().map(place -> omission == Omission.FIRST_OPENS_LAST ? place : size - 1 - place)
                        .filter(place -> header(place) != null && header(place).state() == State.NEW)
                        .forEach(place -> writes.add(Write.of(
                                servers.get(place), header(place), header(place).in(State.OPEN, random))));
            }
        }

        private Write creation(int place, int token, List<Integer> members) {
            int version = RuleTables.version(0, 1, random);
            return Write.of(
                    servers.get(place),
                    null,
                    new Header(version, State.NEW, token, size, place + 1, members, 1, 0, -1, 0));
        }

        private void rows() {
            if (places().noneMatch(place -> row(place) != null || spokenRow(place) != null)) {
                usable().forEach(this::createFirst);
                return;
            }
            usable().forEach(this::judge);
        }

        private void createFirst(int place) {
            if (known.numbers().stream().anyMatch(number -> number != NONE)) {
                refusals.set(place, Refusal.LOST_ALONE);
            } else if (writes.isEmpty()) {
                writes.add(row(place, Math.max(0, seen.get(place).counter()), NONE, 1, false));
            }
        }

        private void judge(int place) {
            List<Integer> others = places().filter(each -> each != place && spokenRow(each) != null)
                    .boxed()
                    .toList();
            List<Integer> marks = others.stream()
                    .filter(each -> first.get(each).notes().get(place) == NOT_CREATED)
                    .toList();
            int noted = others.stream()
                    .map(each -> first.get(each).notes().get(place))
                    .reduce(NONE, Math::max);
            Row row = row(place);
            int reach = reach(place);
            List<Write> unmark = marks.stream()
                    .map(each -> Write.unmark(servers.get(each), place))
                    .toList();
            boolean mayCreate = (!marks.isEmpty() && noted == NONE) || omission == Omission.MARK;
            if (row == null && mayCreate && known.versions().get(place) == 0) {
                if (omission != Omission.MARK_ENDS_BEFORE_CREATION) {
                    writes.addAll(unmark);
                }
                writes.add(row(place, Math.max(0, seen.get(place).counter()), NONE, 1, false));
                return;
            }
            if (row == null && others.isEmpty()) {
                // Created after this server was read: look again.
                refusals.set(place, Refusal.NOT_ALL_ANSWER);
                return;
            }
            if (row != null) {
                writes.addAll(unmark);
            }
            boolean isNoted = row != null && noted > row.number() && omission != Omission.NOTES;
            boolean isOther =
                    row != null && row.identity() != seen.get(place).identity() && omission != Omission.IDENTITY;
            boolean isLost = row == null || hasLost(seen.get(place)) || isOlder(place) || isNoted;
            if (row == null || isNoted) {
                doubts.add(place);
            }
            if (row != null && !row.open()) {
                refusals.set(place, Refusal.CLOSED);
            } else if (!tickets && seen.get(place).counter() > reach + FAR) {
                refusals.set(place, Refusal.TOO_FAR);
            } else if (isLost && !isOther && others.isEmpty()) {
                refusals.set(place, Refusal.LOST_ALONE);
            } else if (isLost || isOther) {
                if (row != null && !isOther) {
                    losses.add(place);
                }
                int skipped = omission == Omission.VERSION_SKIPS ? 1 : LOST_VERSIONS;
                writes.add(row(place, reach + 2 * maxDistance, reach + 2 * maxDistance, skipped, true));
            } else if (reach
                            - Math.max(
                                    row.number(), tickets ? 0 : seen.get(place).counter())
                    > maxDistance) {
                writes.add(row(place, reach, reach, 1, false));
            }
        }

        /** Whether this process knows something newer of it. */
        private boolean isOlder(int place) {
            int version = known.versions().get(place);
            int now = row(place).version();
            return RuleTables.number(now) < RuleTables.number(version)
                    || (RuleTables.number(now) == RuleTables.number(version) && now != version)
                    || (now == version && row(place).number() < known.numbers().get(place));
        }

        /** All that is known, apart from a counter that is too far ahead of it. */
        private int reach(int place) {
            int others = places().filter(each -> seen.get(each) != null && header(each) != null)
                    .map(each -> reached(seen.get(each), tickets))
                    .reduce(known.furthest(), Math::max);
            int counter = tickets ? 0 : seen.get(place).counter();
            return counter > others + FAR ? others : Math.max(others, counter);
        }

        /** Creates a row, or writes it anew, with notes of the others. */
        private Write row(int place, int number, int counter, int more, boolean loss) {
            Row before = row(place);
            int version = Math.max(
                    before == null ? 0 : before.version(), known.versions().get(place));
            List<Integer> notes =
                    new ArrayList<>(Collections.nCopies(seen.get(place).notes().size(), NONE));
            places().filter(each -> each != place)
                    .forEach(each -> notes.set(
                            each,
                            row(each) != null
                                    ? row(each).number()
                                    : before == null && seen.stream().noneMatch(other -> isNoted(other, each))
                                            ? NOT_CREATED
                                            : NONE));
            Row after = new Row(
                    RuleTables.version(version, more, random),
                    true,
                    false,
                    number,
                    seen.get(place).identity(),
                    header(place).era(),
                    header(place).command());
            return Write.of(servers.get(place), before, after, Math.max(number, counter), notes, loss);
        }

        private boolean isNoted(RuleTables other, int place) {
            return other != null && other.notes().get(place) >= 0;
        }
    }
}
