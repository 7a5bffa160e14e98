package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RuleTables.NONE;

import io.distributedid.internal.counter.CounterRules.Omission;
import io.distributedid.internal.counter.CounterRules.Refusal;
import io.distributedid.internal.counter.CounterRules.Verdict;
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
import java.util.stream.Stream;

/**
 * Decides the steps of {@code repair} (the same list) and {@code move} (another list) from what a look shows. All
 * servers of both lists answer. A change that is refused ends the command, except while it seals; repeated, it begins
 * again with another id.
 *
 * <ol>
 *   <li><b>Judge.</b> All rows of the old list have one token, which the application's database remembers. A member
 *       that is named may lack its rows, or have those of an older era: it has lost ids. What was closed for another
 *       target is refused, except by the move back. A target that is in use is refused. A lone server that lost ids is
 *       refused unless the operator says above which id.
 *   <li><b>Close.</b> Each header by compare-and-set, with the id, a new era, the target and its token. Headers that a
 *       move makes at a target are MADE until they are opened: {@code repair} of the target does not open them.
 *   <li><b>Seal.</b> Each row gets a new version and the id; its number never falls, and LOST stays LOST. A missing row
 *       of the old list is created as LOST. A row that changed meanwhile is read again, until a look shows only sealed
 *       ones.
 *   <li><b>Look and judge again.</b> If a header has another id, another command was faster. From each ticket table of
 *       the old list a number is drawn now, since a look does not show how far it is. Raise the new list above all.
 *   <li><b>Remember.</b> The application's database learns the token of the target now, before anything is handed over.
 *   <li><b>Hand over.</b> The target's own headers get its token, then the servers that leave become MOVED, then those
 *       of both lists get the target's token and numbering. Only when this has ended may the target have given ids:
 *       from here on a repeated move finishes, and creates nothing.
 *   <li><b>Open.</b> Rows, then headers, the first place's last.
 * </ol>
 *
 * <p>The class is long because the steps share what was seen.
 */
record RealignRules(CounterRules rules) {

    /**
     * A command.
     *
     * @param id random, another one when the command is repeated
     * @param from the list that has the counter
     * @param to the list that gets it: the same for {@code repair}
     * @param above all ids in use lie at or below, as the operator says; 0 if he does not
     * @param place the token that the application's database remembers; 0 if none
     */
    record Command(int id, int from, int to, List<Integer> source, List<Integer> target, int above, int place) {

        boolean isRepair() {
            return from == to;
        }

        /** All servers, those of the old list first. */
        List<Integer> servers() {
            return Stream.concat(source.stream(), target.stream()).distinct().toList();
        }
    }

    /** Judges, and closes all headers. */
    Verdict begin(Command command, List<RuleTables> seen, int random) {
        return new Look(command, seen, random).begin();
    }

    /** Seals all rows; once a look shows only sealed ones, raises, hands over, and opens. */
    Verdict go(Command command, List<RuleTables> first, List<RuleTables> seen, int random) {
        return new Look(command, seen, random).go(first);
    }

    private final class Look {

        private final Command command;

        private final List<Integer> servers;

        private final List<RuleTables> seen;

        private final int random;

        private final List<Write> writes = new ArrayList<>();

        Look(Command command, List<RuleTables> seen, int random) {
            this.command = command;
            this.servers = command.servers();
            this.seen = seen;
            this.random = random;
        }

        private boolean omits(Omission omission) {
            return rules.omission() == omission;
        }

        private Verdict refused(Refusal why) {
            return Verdict.refused(seen.size(), why);
        }

        private Verdict writes() {
            return new Verdict(writes, Collections.nCopies(seen.size(), null), Set.of(), Set.of());
        }

        private RuleTables seen(int server) {
            return seen.get(servers.indexOf(server));
        }

        private Header header(int server) {
            return seen(server).header();
        }

        private boolean isOf(List<Integer> list, int server) {
            Header header = header(server);
            return list.contains(server) && header != null && header.numbers(list.size(), list.indexOf(server));
        }

        private List<Integer> members(List<Integer> list) {
            return list.stream().map(server -> seen(server).identity()).toList();
        }

        private Stream<Header> headers() {
            return seen.stream().map(RuleTables::header).filter(Objects::nonNull);
        }

        // --- Begin ---

        Verdict begin() {
            if (seen.contains(null)) {
                return refused(Refusal.NOT_ALL_ANSWER);
            }
            boolean finishes = !command.isRepair() && isHandedOver();
            Refusal why = command.isRepair() || finishes ? whyNotRepair(finishes) : whyNotMove();
            if (why == null && headers().count() > 0 && !isPlace() && !omits(Omission.PLACE)) {
                why = Refusal.TOKEN;
            }
            if (why == null && command.above() == 0 && isLostAlone()) {
                why = Refusal.LOST_ALONE;
            }
            if (why != null) {
                return refused(why);
            }
            List<Integer> list = command.target();
            if (finishes
                    && list.stream()
                            .allMatch(
                                    each -> header(each) != null && header(each).state() == State.OPEN)) {
                return writes();
            }
            int era = 1 + seen.stream().map(RuleTables::era).reduce(0, Math::max);
            int next = next(finishes);
            for (int server : servers) {
                boolean isOfTarget = list.contains(server)
                        && (command.isRepair()
                                || finishes
                                || !command.source().contains(server)
                                || (header(server) != null && header(server).token() == next));
                if (!finishes || list.contains(server)) {
                    close(server, isOfTarget ? list : command.source(), isOfTarget, era, next);
                }
            }
            return writes();
        }

        private void close(int server, List<Integer> list, boolean isOfTarget, int era, int next) {
            Header before = header(server);
            int place = list.indexOf(server);
            writes.add(Write.of(
                    server,
                    before,
                    new Header(
                            RuleTables.version(before == null ? 0 : before.version(), 1, random),
                            isMade(server, before) ? State.MADE : State.CLOSED,
                            token(server, before, next),
                            list.size(),
                            place + 1,
                            isOfTarget || before == null ? members(list) : before.members(),
                            era,
                            command.id(),
                            command.to(),
                            next)));
        }

        /** A move keeps the token until it hands over, since the application's database remembers that. */
        private int token(int server, Header before, int next) {
            if (before == null && !command.isRepair() && command.source().contains(server)) {
                return command.source().stream()
                        .filter(each ->
                                isOf(command.source(), each) && header(each).token() != next)
                        .findFirst()
                        .map(each -> header(each).token())
                        .orElse(next);
            }
            return before == null || command.isRepair() || before.state() == State.NEW ? next : before.token();
        }

        /** Whether the target has never been opened there. */
        private boolean isMade(int server, Header before) {
            return !command.isRepair()
                    && !command.source().contains(server)
                    && (before == null || before.state() != State.CLOSED || before.target() != command.to())
                    && !omits(Omission.MADE);
        }

        /** Whether the application's database remembers none of another place. */
        private boolean isPlace() {
            return command.place() == 0
                    || headers()
                            .anyMatch(header -> header.token() == command.place()
                                    || (header.next() == command.place() && isOurs(header)));
        }

        /** The token of the target: kept by a repair, and by a repeated move. */
        private int next(boolean finishes) {
            Set<Integer> tokens = (command.isRepair() || finishes
                            ? command.target().stream()
                                    .map(this::header)
                                    .filter(Objects::nonNull)
                                    .filter(header -> header.era() == newestEra())
                                    .map(Header::token)
                            : headers().filter(this::isOurs).map(Header::next))
                    .collect(Collectors.toSet());
            return tokens.size() == 1 ? tokens.iterator().next() : random;
        }

        private int newestEra() {
            return command.target().stream()
                    .map(this::header)
                    .filter(Objects::nonNull)
                    .map(Header::era)
                    .reduce(0, Math::max);
        }

        /** Whether it was closed for the same target. */
        private boolean isOurs(Header header) {
            return header.next() != 0 && header.target() == command.to();
        }

        /** Whether an earlier attempt may have opened the target. */
        private boolean isHandedOver() {
            return command.source().stream().allMatch(server -> {
                Header header = header(server);
                if (header == null) {
                    return false;
                }
                return command.target().contains(server)
                        ? isOf(command.target(), server) && tokenOfTarget() == header.token()
                        : header.state() == State.MOVED && header.target() == command.to();
            });
        }

        private int tokenOfTarget() {
            return headers()
                    .filter(header -> header.state() == State.MOVED && isOurs(header))
                    .map(Header::next)
                    .findFirst()
                    .orElseGet(() -> command.target().stream()
                            .map(this::header)
                            .filter(Objects::nonNull)
                            .filter(header -> header.size() == command.target().size())
                            .map(Header::token)
                            .findFirst()
                            .orElse(0));
        }

        private Refusal whyNotRepair(boolean finishes) {
            List<Integer> list = command.target();
            List<Header> headers =
                    list.stream().map(this::header).filter(Objects::nonNull).toList();
            if (headers.isEmpty()) {
                return command.above() > 0 ? null : Refusal.HEADER_LOST;
            }
            boolean isNew = headers.stream().allMatch(header -> header.state() == State.NEW);
            int era = newestEra();
            Set<Integer> named = headers.stream()
                    .filter(header -> header.era() == era)
                    .filter(header -> !omits(Omission.EVERY_HEADER_NAMES_MEMBERS) || header.offset() == 1)
                    .flatMap(header -> header.members().stream())
                    .collect(Collectors.toSet());
            if (isNew && !omits(Omission.MEMBERS) && !named.equals(Set.copyOf(members(list)))) {
                return Refusal.MEMBERS;
            }
            int token = finishes
                    ? tokenOfTarget()
                    : headers.stream()
                            .filter(header -> header.era() == era)
                            .findFirst()
                            .orElseThrow()
                            .token();
            for (int server : list) {
                Header header = header(server);
                boolean isKnown = header != null
                        || named.contains(seen(server).identity())
                        || (omits(Omission.EVERY_HEADER_NAMES_MEMBERS) && named.isEmpty());
                if (!isKnown && !omits(Omission.MEMBERS)) {
                    return Refusal.MEMBERS;
                }
                boolean isOlder = header != null
                        && header.era() < era
                        && (named.contains(seen(server).identity()) || command.above() > 0);
                if (header == null || isNew || isOlder) {
                    continue;
                }
                if (header.state() == State.MOVED || (header.state() == State.MADE && !finishes)) {
                    return header.state() == State.MADE ? Refusal.TARGET : Refusal.MOVED;
                }
                if (!isOf(list, server)) {
                    return Refusal.NUMBERING;
                }
                if (header.token() != token) {
                    return Refusal.TOKEN;
                }
                if (isForAnother(header)) {
                    return Refusal.TARGET;
                }
            }
            return null;
        }

        private boolean isForAnother(Header header) {
            return (header.state() == State.CLOSED || header.state() == State.MADE)
                    && header.target() != command.to()
                    && header.target() != command.from()
                    && !omits(Omission.TARGET);
        }

        private Refusal whyNotMove() {
            boolean back = command.target().stream()
                    .filter(server -> isOf(command.target(), server))
                    .map(this::header)
                    .anyMatch(header -> header.state() == State.CLOSED
                            && header.target() == command.from()
                            && header.next() != header.token());
            Set<Integer> tokens = command.source().stream()
                    .filter(server -> isOf(command.source(), server))
                    .map(this::header)
                    .map(Header::token)
                    .collect(Collectors.toSet());
            Set<Integer> left = new TreeSet<>(tokens);
            headers().filter(this::isOurs).forEach(header -> left.remove(header.next()));
            if (left.size() > 1) {
                return Refusal.TOKEN;
            }
            for (int server : servers) {
                Header header = header(server);
                boolean isSource = command.source().contains(server);
                if (header == null) {
                    if (isSource && !back && !isNamed(server)) {
                        return Refusal.HEADER_LOST;
                    }
                    continue;
                }
                Refusal why = isForAnother(header)
                        ? Refusal.TARGET
                        : switch (header.state()) {
                            case NEW -> isSource ? Refusal.NOT_ALL_ANSWER : null;
                            case OPEN -> isOf(command.source(), server) ? null : Refusal.TARGET;
                            case MADE -> null;
                            case CLOSED -> isSource || isBack(header) ? null : Refusal.TARGET;
                            case MOVED -> whyNotFromMoved(header, isSource, tokens);
                        };
                if (why != null) {
                    return why;
                }
            }
            return null;
        }

        /** Whether it was closed by the move that this command takes back. */
        private boolean isBack(Header header) {
            return (header.target() == command.from() && header.next() != header.token()) || omits(Omission.TARGET);
        }

        private boolean isNamed(int server) {
            return headers()
                    .anyMatch(header -> header.members().contains(seen(server).identity()));
        }

        private Refusal whyNotFromMoved(Header header, boolean isSource, Set<Integer> tokens) {
            boolean isLeft = isSource && header.target() == command.to();
            boolean isBack = header.target() == command.from() && tokens.contains(header.next());
            return isLeft || isBack || omits(Omission.TARGET) ? null : Refusal.MOVED;
        }

        private boolean isLostAlone() {
            return command.source().size() == 1 && rules.hasLost(seen.get(0));
        }

        // --- Seal, raise, hand over, open ---

        Verdict go(List<RuleTables> first) {
            List<Integer> list = command.target();
            if (seen.contains(null) || servers.stream().anyMatch(server -> !isClosedByUs(header(server)))) {
                return refused(Refusal.BEATEN);
            }
            servers.stream()
                    .filter(server -> !isSealed(seen(server).row()))
                    .filter(server -> seen(server).row() == null || !omits(Omission.SEAL))
                    .forEach(this::seal);
            if (!writes.isEmpty()) {
                return writes();
            }
            if (command.above() == 0 && isLostAlone()) {
                return refused(Refusal.LOST_ALONE);
            }
            raise(omits(Omission.LOOK_AFTER_SEAL) ? first : seen);
            return writes();
        }

        private boolean isClosedByUs(Header header) {
            return header != null
                    && (header.command() == command.id()
                            || (header.state() == State.MOVED && header.target() == command.to()));
        }

        private boolean isSealed(Row row) {
            return row != null && row.command() == command.id() && !row.open();
        }

        /** A row that is missing is created as a lost one, so that a repeated command judges it so, too. */
        private void seal(int server) {
            RuleTables before = seen(server);
            Row row = before.row();
            boolean isMissing = row == null && command.source().contains(server);
            boolean isLost = (isMissing && anyRow()) || (row != null && (row.lost() || isOther(before)));
            Row sealed = new Row(
                    RuleTables.version(row == null ? 0 : row.version(), 1, random),
                    false,
                    isLost && !omits(Omission.LOST_IS_SEALED),
                    row == null ? 0 : row.number(),
                    before.identity(),
                    header(server).era(),
                    command.id());
            List<Integer> notes = row == null ? before.notes() : List.of();
            writes.add(Write.of(server, row, sealed, Math.max(0, before.counter()), notes, false));
        }

        private boolean anyRow() {
            return seen.stream().anyMatch(each -> each.row() != null);
        }

        private boolean isOther(RuleTables each) {
            return each.row().identity() != each.identity() && !omits(Omission.IDENTITY);
        }

        private void raise(List<RuleTables> judged) {
            List<Integer> list = command.target();
            boolean lost = judged.stream().anyMatch(rules::hasLost)
                    || isNotedAbove(command.source(), judged)
                    || isNotedAbove(list, judged);
            boolean isBlind = rules.tickets() && omits(Omission.POSITION_IS_DRAWN);
            int known = judged.stream()
                    .map(each -> CounterRules.reached(each, isBlind))
                    .reduce(command.above(), Math::max);
            int above = known + (lost ? 2 * rules.maxDistance() : 0);
            int next = headers().filter(this::isOurs).findFirst().orElseThrow().next();
            List<Integer> notes =
                    new ArrayList<>(Collections.nCopies(seen.get(0).notes().size(), NONE));
            IntStream.range(0, list.size()).forEach(place -> notes.set(place, above));
            List<Write> opened = new ArrayList<>();
            for (int place = list.size() - 1; place >= 0; place--) {
                int server = list.get(place);
                Row row = seen(server).row();
                Row raised = raised(row, 1, above, server);
                writes.add(Write.of(server, row, raised, above, notes, false));
                opened.add(Write.of(server, raised, open(raised), NONE, List.of(), false));
            }
            List<Write> moved = new ArrayList<>();
            List<Write> shared = new ArrayList<>();
            for (int place = list.size() - 1; place >= 0; place--) {
                int server = list.get(place);
                Header ours = ours(server, place, next);
                if (ours != header(server)) {
                    (command.source().contains(server) ? shared : moved).add(Write.of(server, header(server), ours));
                }
                opened.add(Write.of(server, ours, ours.in(State.OPEN, random)));
            }
            servers.stream()
                    .filter(server -> !list.contains(server) && header(server).state() != State.MOVED)
                    .forEach(server -> moved.add(
                            Write.of(server, header(server), header(server).in(State.MOVED, random))));
            moved.addAll(shared);
            boolean early = omits(Omission.MOVED_BEFORE_OPEN);
            writes.addAll(early ? opened : moved);
            writes.addAll(early ? moved : opened);
        }

        private boolean isNotedAbove(List<Integer> list, List<RuleTables> judged) {
            return IntStream.range(0, list.size()).anyMatch(place -> {
                Row row = judged.get(servers.indexOf(list.get(place))).row();
                return list.stream()
                        .map(server ->
                                judged.get(servers.indexOf(server)).notes().get(place))
                        .anyMatch(note -> row == null ? note >= 0 : note > row.number());
            });
        }

        private Row raised(Row row, int more, int above, int server) {
            return new Row(
                    RuleTables.version(row.version(), more, random),
                    false,
                    false,
                    above,
                    seen(server).identity(),
                    header(server).era(),
                    command.id());
        }

        private Row open(Row row) {
            return new Row(
                    RuleTables.version(row.version(), 1, random),
                    true,
                    false,
                    row.number(),
                    row.identity(),
                    row.era(),
                    row.command());
        }

        /** A server of both lists becomes one of the target. */
        private Header ours(int server, int place, int next) {
            Header before = header(server);
            if (before.token() == next && before.numbers(command.target().size(), place)) {
                return before;
            }
            return new Header(
                    RuleTables.version(before.version(), 1, random),
                    before.state() == State.MADE ? State.MADE : State.CLOSED,
                    next,
                    command.target().size(),
                    place + 1,
                    members(command.target()),
                    before.era(),
                    command.id(),
                    command.to(),
                    next);
        }
    }
}
