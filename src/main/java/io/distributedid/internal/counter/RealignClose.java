package io.distributedid.internal.counter;

import io.distributedid.CounterMove;
import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.RealignLook.Part;
import io.distributedid.internal.counter.Refusal.Kind;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.ledger.ServerIdentity;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges what a command finds, and closes the headers. See {@link RealignRules}. */
final class RealignClose {

    private final RealignLook look;

    private final RealignCommand command;

    private final String token;

    private final Part source;

    private final Part target;

    /** Whether an earlier attempt may have opened the target. */
    private final boolean finishes;

    RealignClose(RealignLook look, String token) {
        this.look = look;
        this.command = look.command();
        this.token = token;
        this.source = look.source();
        this.target = look.target();
        this.finishes = !command.isRepair() && !target.places().isEmpty() && isHandedOver();
    }

    Verdict verdict() {
        Refusal why = command.isRepair() || finishes ? whyNotRepair() : command.isEnd() ? whyNotEnd() : whyNotMove();
        if (why == null) {
            why = whyNotAll();
        }
        if (command.isAnew()) {
            boolean isWhole = why == null && look.headers(target).anyMatch(header -> header.state() == State.OPEN);
            boolean isLost = command.kind() == CounterMove.Kind.LOST;
            why = !isLost ? whyElsewhere() : isWhole ? Refusal.of(Kind.NOT_LOST, 0) : null;
        }
        if (why == null && !command.isAnew() && look.headers().findAny().isPresent() && !isPlace()) {
            why = Refusal.of(Kind.TOKEN, 0, RealignLook.tokens(look.headers()), command.place());
        }
        if (why == null) {
            why = look.lostAlone();
        }
        if (why == null) {
            why = whySame();
        }
        if (why != null) {
            return look.refused(why);
        }
        List<Write> writes = new ArrayList<>();
        boolean isOpen = look.headers(target)
                        .filter(header -> header.state() == State.OPEN)
                        .count()
                == target.places().size();
        if (!finishes || !isOpen || command.least() > 0) {
            long era = look.seen().stream().mapToLong(each -> each.era() + 1).reduce(command.era(), Math::max);
            String next = next();
            look.places()
                    .filter(place -> !finishes || target.contains(place))
                    .forEach(place -> writes.add(close(place, era, next)));
        }
        return look.writes(writes);
    }

    private Write close(int place, long era, String next) {
        Header before = look.header(place);
        boolean isOfTarget = target.contains(place)
                && (command.isRepair()
                        || finishes
                        || !source.contains(place)
                        || (before != null && before.token().equals(next)));
        Part list = isOfTarget ? target : source;
        boolean isMade = !command.isRepair() && !source.contains(place) && (before == null || !isWhole(place, before));
        Header closed = new Header(
                before == null ? Version.first(token) : before.version().next(token),
                isMade ? State.MADE : State.CLOSED,
                isMade ? next : token(place, before, next),
                before == null || isMade ? list.numbering(place) : before.numbering(),
                isOfTarget || before == null ? look.members(list, before) : before.members(),
                era,
                command.id(),
                command.to(),
                next);
        return new Write(
                place,
                before == null ? null : before.version(),
                new ToHeader(look.command().counter(place), closed));
    }

    /** Whether the target's header is, or was when the move that is taken back closed it, open and in use. */
    private boolean isWhole(int place, Header header) {
        return header.state() == State.CLOSED
                || (header.state() == State.OPEN && (finishes || isLeftOpen(place, header)));
    }

    /**
     * A move, and a place that is lost, keep the token until they hand over, since the application's database remembers
     * that. A header that it makes anew has the target's: it may be left from an earlier move that was taken back.
     */
    private String token(int place, @Nullable Header before, String next) {
        if ((command.isRepair() && !command.isAnew()) || (before == null && !source.contains(place))) {
            return next;
        }
        if (before != null) {
            return before.state() == State.NEW ? next : before.token();
        }
        return look.headersOf(source)
                .map(Header::token)
                .filter(each -> !each.equals(next))
                .findFirst()
                .orElse(next);
    }

    /** Whether the application's database remembers none of another place. */
    private boolean isPlace() {
        String place = command.place();
        return place.isEmpty()
                || look.headers()
                        .anyMatch(header ->
                                header.token().equals(place) || (header.next().equals(place) && look.isOurs(header)));
    }

    /**
     * The token of the target: kept by a repair, by a repeated command, and by the move back, since the application's
     * database may remember it already. A lost place gets another one.
     */
    private String next() {
        Set<String> tokens = (command.isRepair() && !command.isAnew()) || finishes
                ? RealignLook.tokens(newest().stream())
                : look.headers()
                        .filter(header -> (look.isOurs(header)
                                        || (!command.isRepair() && header.state() == State.CLOSED && isBack(header)))
                                && !(command.isAnew() && header.next().equals(header.token())))
                        .map(Header::next)
                        .collect(Collectors.toSet());
        return tokens.size() == 1 ? tokens.iterator().next() : token;
    }

    /** Those of the target that have the newest era. */
    private List<Header> newest() {
        long era = look.headers(target).mapToLong(Header::era).reduce(0, Math::max);
        return look.headers(target).filter(header -> header.era() == era).toList();
    }

    /** A longer list may number its servers as the old one does: until then, the headers name fewer members. */
    private boolean isHandedOver() {
        return source.places().stream().allMatch(place -> {
            Header header = look.header(place);
            if (header == null) {
                return false;
            }
            return target.contains(place)
                    ? look.isOf(target, place)
                            && header.members().size() == target.places().size()
                            && header.token().equals(tokenOfTarget())
                            && !isBack(header)
                    : header.state() == State.MOVED && header.target().equals(command.to());
        });
    }

    private String tokenOfTarget() {
        return look.headers()
                .filter(header -> header.state() == State.MOVED && look.isOurs(header))
                .map(Header::next)
                .findFirst()
                .or(() -> look.headersOf(target).map(Header::token).findFirst())
                .orElse("");
    }

    /** A server that the command does not name would go on giving ids. */
    private @Nullable Refusal whyNotAll() {
        List<String> members = look.members(target);
        long era = look.headers(source).mapToLong(Header::era).reduce(0, Math::max);
        long named = source.numberings().stream().distinct().count();
        return RealignLook.first(source.places(), place -> {
            Header header = look.header(place);
            if (header == null || header.era() < era || header.members().size() == named) {
                return null;
            }
            boolean isOfTarget =
                    finishes ? target.contains(place) : header.members().equals(members);
            return isOfTarget ? null : Refusal.of(Kind.MEMBERS, place, look.members(source), header.members());
        });
    }

    private @Nullable Refusal whySame() {
        List<String> members = look.members(target);
        OptionalInt same = ServerIdentity.sameAsBefore(members);
        return same.isEmpty()
                ? null
                : Refusal.of(Kind.SAME, target.places().get(same.getAsInt()), members.get(same.getAsInt()), members);
    }

    private @Nullable Refusal whyNotRepair() {
        List<Header> newest = newest();
        if (newest.isEmpty()) {
            return command.above() == 0 ? Refusal.of(Kind.HEADER_LOST, 0) : null;
        }
        List<String> members = look.members(target);
        Set<String> named =
                newest.stream().flatMap(header -> header.members().stream()).collect(Collectors.toSet());
        boolean isNew = look.headers(target).allMatch(header -> header.state() == State.NEW);
        if (isNew && !named.equals(Set.copyOf(members))) {
            return Refusal.of(Kind.MEMBERS, 0, members, named);
        }
        Seen first = look.seen().get(0);
        boolean isUnknown = look.seen().stream()
                .allMatch(each -> each.row() == null && each.counter().isEmpty());
        if (isUnknown && !isNew && !finishes && command.above() == 0) {
            return CounterRules.lostAlone(0, first, 0);
        }
        String expected = finishes ? tokenOfTarget() : newest.get(0).token();
        return RealignLook.first(target.places(), place -> {
            Header header = look.header(place);
            boolean isNamed = named.contains(look.identity(place));
            if (header == null) {
                return isNamed ? null : Refusal.of(Kind.MEMBERS, place, look.identity(place), named);
            }
            boolean isOlder = header.era() < newest.get(0).era() && (isNamed || command.above() > 0);
            return isNew || isOlder ? null : whyNotRepair(place, header, expected);
        });
    }

    private @Nullable Refusal whyNotRepair(int place, Header header, String expected) {
        if (header.state() == State.MOVED) {
            return moved(place, header);
        }
        if ((header.state() == State.MADE && !finishes) || isForAnother(header)) {
            return target(place, header);
        }
        return look.isOf(target, place) && !header.token().equals(expected)
                ? Refusal.of(Kind.TOKEN, place, header.token(), expected)
                : whyNumbered(target, place, header);
    }

    /** Where the ids go on, a space of its own would give the same ones. */
    private @Nullable Refusal whyElsewhere() {
        return RealignLook.first(target.places(), place -> {
            Header header = look.header(place);
            boolean isElsewhere = header != null
                    && header.state() == State.MOVED
                    && !header.target().isEmpty();
            return isElsewhere ? moved(place, header) : null;
        });
    }

    private @Nullable Refusal whyNumbered(Part list, int place, Header header) {
        return look.isOf(list, place)
                ? null
                : Refusal.of(Kind.NUMBERING, place, list.numbering(place), header.numbering());
    }

    private boolean isForAnother(Header header) {
        return (header.state() == State.CLOSED || header.state() == State.MADE)
                && !header.target().equals(command.to())
                && !header.target().equals(command.from());
    }

    private Refusal target(int place, Header header) {
        return Refusal.of(Kind.TARGET, place, header.target(), command.to());
    }

    private static Refusal moved(int place, Header header) {
        return Refusal.of(Kind.MOVED, place, header.target(), header.next());
    }

    /** What lost its header, or was not finished by a move, is brought into line first: other servers may have ids. */
    private @Nullable Refusal whyNotEnd() {
        Set<String> tokens = RealignLook.tokens(look.headers());
        if (tokens.size() > 1) {
            return Refusal.of(Kind.TOKEN, 0, tokens, "");
        }
        return RealignLook.first(source.places(), place -> {
            Header header = look.header(place);
            return header == null ? Refusal.of(Kind.HEADER_LOST, place) : whyNotEnd(place, header);
        });
    }

    private @Nullable Refusal whyNotEnd(int place, Header header) {
        boolean isEnding = header.target().isEmpty();
        return switch (header.state()) {
            case NEW -> Refusal.of(Kind.NOT_ALL_ANSWER, place);
            case OPEN -> whyNumbered(source, place, header);
            case CLOSED -> isEnding || (!isForAnother(header) && !isBack(header)) ? null : target(place, header);
            case MADE -> target(place, header);
            case MOVED -> isEnding ? null : moved(place, header);
        };
    }

    private @Nullable Refusal whyNotMove() {
        Set<String> back = back();
        Set<String> tokens = new HashSet<>(RealignLook.tokens(look.headersOf(source)));
        Set<String> left = new TreeSet<>(tokens);
        look.headers()
                .filter(header -> look.isOurs(header) || isBack(header))
                .forEach(header -> left.remove(header.next()));
        if (left.size() > 1) {
            return Refusal.of(Kind.TOKEN, 0, left, "");
        }
        // A server that stays has the token that it is to get when the move that is taken back was cut off.
        look.headers(source)
                .filter(header -> header.target().equals(command.from()))
                .forEach(header -> tokens.add(header.next()));
        return RealignLook.first(look.places().boxed().toList(), place -> {
            Header header = look.header(place);
            boolean isNamed = look.headers().anyMatch(each -> each.members().contains(look.identity(place)));
            return header != null
                    ? whyNotMove(place, header, tokens)
                    : source.contains(place) && back.isEmpty() && !isNamed ? Refusal.of(Kind.HEADER_LOST, place) : null;
        });
    }

    /** The tokens of the target, if the command takes back a move from there, which has handed nothing over. */
    private Set<String> back() {
        return RealignLook.tokens(
                look.headersOf(target).filter(header -> header.state() == State.CLOSED && isBack(header)));
    }

    private boolean isLeftOpen(int place, Header header) {
        return look.isOf(target, place) && back().contains(header.token());
    }

    /** @param tokens of the old list, and what those are to get that another move closed for it */
    private @Nullable Refusal whyNotMove(int place, Header header, Set<String> tokens) {
        boolean isSource = source.contains(place);
        if (isForAnother(header)) {
            return target(place, header);
        }
        return switch (header.state()) {
            case NEW -> isSource ? Refusal.of(Kind.NOT_ALL_ANSWER, place) : null;
            case OPEN -> {
                // By a client of the new place, which the application's database has refused.
                boolean isUnused = !isSource && !look.seen().get(place).isUsed();
                yield isLeftOpen(place, header) || isUnused
                        ? null
                        : !isSource ? target(place, header) : whyNumbered(source, place, header);
            }
            case MADE -> null;
            case CLOSED -> isSource || isBack(header) || isCutOff(header) ? null : target(place, header);
            case MOVED -> {
                boolean isLeft = isSource && header.target().equals(command.to());
                boolean isLeftBack = header.target().equals(command.from()) && tokens.contains(header.next());
                yield isLeft || isLeftBack ? null : moved(place, header);
            }
        };
    }

    /** Whether an earlier attempt gave the target's token to it, and was cut off before it had to all. */
    private boolean isCutOff(Header header) {
        return look.isOurs(header)
                && header.next().equals(header.token())
                && look.headers(source)
                        .allMatch(each -> look.isOurs(each) && each.next().equals(header.next()));
    }

    /** Whether it was closed by the move that this command takes back, or by an earlier attempt to do that. */
    private boolean isBack(Header header) {
        return (header.target().equals(command.from()) || header.target().equals(command.to()))
                && !header.next().equals(header.token());
    }
}
