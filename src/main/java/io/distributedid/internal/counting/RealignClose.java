package io.distributedid.internal.counting;

import io.distributedid.internal.counting.Header.State;
import io.distributedid.internal.counting.Refusal.Kind;
import io.distributedid.internal.counting.Write.ToHeader;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges what a command finds, and closes the headers. See {@link RealignRules}. */
final class RealignClose {

    private final RealignLook look;

    private final RealignCommand command;

    private final String token;

    /** Whether an earlier attempt may have opened the target. */
    private final boolean finishes;

    RealignClose(RealignLook look, String token) {
        this.look = look;
        this.command = look.command();
        this.token = token;
        this.finishes = !command.isRepair() && isHandedOver();
    }

    Verdict verdict() {
        int size = look.seen().size();
        Refusal why = command.isRepair() || finishes ? whyNotRepair() : whyNotMove();
        if (why == null && look.headers().findAny().isPresent() && !isPlace()) {
            why = Refusal.of(Kind.TOKEN, 0, look.tokens(look.headers()), command.place());
        }
        if (why == null && look.isLostAlone()) {
            why = RealignOpen.lostAlone(look);
        }
        if (why != null) {
            return RealignRules.refused(size, why);
        }
        List<Write> writes = new ArrayList<>();
        boolean isOpen = look.target().stream()
                .map(look::header)
                .allMatch(header -> header != null && header.state() == State.OPEN);
        if (!finishes || !isOpen) {
            long era = look.seen().stream().mapToLong(HeaderRules::newestEra).reduce(0, Math::max);
            String next = next();
            look.places()
                    .filter(place -> !finishes || look.target().contains(place))
                    .forEach(place -> writes.add(close(place, era + 1, next)));
        }
        return RealignRules.writes(size, writes);
    }

    private Write close(int place, long era, String next) {
        Header before = look.header(place);
        boolean isOfTarget = look.target().contains(place)
                && (command.isRepair()
                        || finishes
                        || !look.source().contains(place)
                        || (before != null && before.token().equals(next)));
        List<Integer> list = isOfTarget ? look.target() : look.source();
        Header closed = new Header(
                before == null ? Version.first(token) : before.version().next(token),
                isMade(place, before) ? State.MADE : State.CLOSED,
                token(place, before, next),
                isOfTarget ? look.ofTarget(place) : look.ofSource(place),
                isOfTarget || before == null ? look.members(list) : before.members(),
                era,
                command.id(),
                command.to(),
                next);
        return new Write(place, before == null ? null : before.version(), new ToHeader(look.counter(place), closed));
    }

    /** A move keeps the token until it hands over, since the application's database remembers that. */
    private String token(int place, @Nullable Header before, String next) {
        if (before != null) {
            return command.isRepair() || before.state() == State.NEW ? next : before.token();
        }
        return command.isRepair() || !look.source().contains(place)
                ? next
                : look.source().stream()
                        .filter(look::isOfSource)
                        .flatMap(each -> look.headers(List.of(each)))
                        .map(Header::token)
                        .filter(each -> !each.equals(next))
                        .findFirst()
                        .orElse(next);
    }

    /** Whether the target has never been opened there. */
    private boolean isMade(int place, @Nullable Header before) {
        return !command.isRepair()
                && !look.source().contains(place)
                && (before == null
                        || before.state() != State.CLOSED
                        || !before.target().equals(command.to()));
    }

    /** Whether the application's database remembers none of another place. */
    private boolean isPlace() {
        String place = command.place();
        return place.isEmpty()
                || look.headers()
                        .anyMatch(header ->
                                header.token().equals(place) || (header.next().equals(place) && look.isOurs(header)));
    }

    /** The token of the target: kept by a repair, and by a repeated move. */
    private String next() {
        Set<String> tokens = command.isRepair() || finishes
                ? look.tokens(look.headers(look.target()).filter(header -> header.era() == newestEra()))
                : look.headers().filter(look::isOurs).map(Header::next).collect(Collectors.toSet());
        return tokens.size() == 1 ? tokens.iterator().next() : token;
    }

    private long newestEra() {
        return look.headers(look.target()).mapToLong(Header::era).max().orElse(0);
    }

    private boolean isHandedOver() {
        return look.source().stream().allMatch(place -> {
            Header header = look.header(place);
            if (header == null) {
                return false;
            }
            return look.target().contains(place)
                    ? look.isOfTarget(place) && header.token().equals(tokenOfTarget())
                    : header.state() == State.MOVED && header.target().equals(command.to());
        });
    }

    private String tokenOfTarget() {
        return look.headers()
                .filter(header -> header.state() == State.MOVED && look.isOurs(header))
                .map(Header::next)
                .findFirst()
                .or(() -> look.headers(
                                look.target().stream().filter(look::isOfTarget).toList())
                        .map(Header::token)
                        .findFirst())
                .orElse("");
    }

    private @Nullable Refusal whyNotRepair() {
        List<Header> headers = look.headers(look.target()).toList();
        if (headers.isEmpty()) {
            return command.above() > 0 ? null : Refusal.of(Kind.HEADER_LOST, 0);
        }
        List<String> members = look.members(look.target());
        boolean isNew = headers.stream().allMatch(header -> header.state() == State.NEW);
        long era = newestEra();
        List<Header> newest =
                headers.stream().filter(header -> header.era() == era).toList();
        Set<String> named =
                newest.stream().flatMap(header -> header.members().stream()).collect(Collectors.toSet());
        if (isNew && !named.equals(Set.copyOf(members))) {
            return Refusal.of(Kind.MEMBERS, 0, members, named);
        }
        String expected = finishes ? tokenOfTarget() : newest.get(0).token();
        for (int place : look.target()) {
            Header header = look.header(place);
            String identity = look.seen().get(place).identity();
            boolean isNamed = named.contains(identity);
            if (header == null && !isNamed) {
                return Refusal.of(Kind.MEMBERS, place, identity, named);
            }
            boolean isOlder = header != null && header.era() < era && (isNamed || command.above() > 0);
            if (header == null || isNew || isOlder) {
                continue;
            }
            Refusal why = whyNotRepair(place, header, expected);
            if (why != null) {
                return why;
            }
        }
        return null;
    }

    private @Nullable Refusal whyNotRepair(int place, Header header, String expected) {
        if (header.state() == State.MOVED) {
            return Refusal.of(Kind.MOVED, place, header.target(), header.next());
        }
        if ((header.state() == State.MADE && !finishes) || isForAnother(header)) {
            return target(place, header);
        }
        if (!look.isOfTarget(place)) {
            return Refusal.of(Kind.NUMBERING, place, look.ofTarget(place), header.numbering());
        }
        return header.token().equals(expected) ? null : Refusal.of(Kind.TOKEN, place, header.token(), expected);
    }

    private boolean isForAnother(Header header) {
        return (header.state() == State.CLOSED || header.state() == State.MADE)
                && !header.target().equals(command.to())
                && !header.target().equals(command.from());
    }

    private Refusal target(int place, Header header) {
        return Refusal.of(Kind.TARGET, place, header.target(), command.to());
    }

    private @Nullable Refusal whyNotMove() {
        boolean isBack = look.headers(
                        look.target().stream().filter(look::isOfTarget).toList())
                .anyMatch(header -> header.state() == State.CLOSED && isBack(header));
        Set<String> tokens = look.tokens(
                look.headers(look.source().stream().filter(look::isOfSource).toList()));
        Set<String> left = new TreeSet<>(tokens);
        look.headers().filter(look::isOurs).forEach(header -> left.remove(header.next()));
        if (left.size() > 1) {
            return Refusal.of(Kind.TOKEN, 0, left, "");
        }
        for (int place : look.places().toArray()) {
            Header header = look.header(place);
            Refusal why = header == null ? whyNotWithout(place, isBack) : whyNotMove(place, header, tokens);
            if (why != null) {
                return why;
            }
        }
        return null;
    }

    private @Nullable Refusal whyNotWithout(int place, boolean isBack) {
        String identity = look.seen().get(place).identity();
        boolean isNamed = look.headers().anyMatch(each -> each.members().contains(identity));
        return look.source().contains(place) && !isBack && !isNamed ? Refusal.of(Kind.HEADER_LOST, place) : null;
    }

    private @Nullable Refusal whyNotMove(int place, Header header, Set<String> tokens) {
        boolean isSource = look.source().contains(place);
        if (isForAnother(header)) {
            return target(place, header);
        }
        return switch (header.state()) {
            case NEW -> isSource ? Refusal.of(Kind.NOT_ALL_ANSWER, place) : null;
            case OPEN -> look.isOfSource(place) ? null : target(place, header);
            case MADE -> null;
            case CLOSED -> isSource || isBack(header) ? null : target(place, header);
            case MOVED -> {
                boolean isLeft = isSource && header.target().equals(command.to());
                boolean isLeftBack = header.target().equals(command.from()) && tokens.contains(header.next());
                yield isLeft || isLeftBack ? null : Refusal.of(Kind.MOVED, place, header.target(), header.next());
            }
        };
    }

    /** Whether it was closed by the move that this command takes back. */
    private boolean isBack(Header header) {
        return header.target().equals(command.from()) && !header.next().equals(header.token());
    }
}
