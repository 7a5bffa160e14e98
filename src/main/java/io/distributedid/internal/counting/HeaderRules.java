package io.distributedid.internal.counting;

import io.distributedid.internal.counting.Header.State;
import io.distributedid.internal.counting.Refusal.Kind;
import io.distributedid.internal.counting.Write.ToHeader;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges the headers of a table, and creates and opens them at the first use. See {@link CounterRules}. */
record HeaderRules(Judgement look) {

    void judge() {
        look.usable().forEach(place -> {
            Header header = look.header(place);
            if (header != null && header.state() == State.MOVED) {
                look.refuse(Refusal.of(Kind.MOVED, place, header.target(), header.next()));
            }
        });
        refuseNumbering();
        refuseTokens();
        boolean hasHeader = headers(look.seen).findAny().isPresent();
        if (!hasHeader && !look.known.token().isEmpty()) {
            look.refuseAll(Kind.HEADER_LOST);
        } else if (isFirstUse(hasHeader)) {
            firstUse();
        }
        if (look.writes.isEmpty()) {
            refuseStrangers();
            judgeEach();
        }
    }

    private static Stream<Header> headers(List<@Nullable Seen> from) {
        return from.stream().filter(Objects::nonNull).map(Seen::header).filter(Objects::nonNull);
    }

    private boolean isAny(State state) {
        return headers(look.seen).anyMatch(header -> header.state() == state);
    }

    private boolean isOpen(int place) {
        Header header = look.header(place);
        return header != null && header.state() == State.OPEN;
    }

    /** If one server numbers wrongly, the others may give its numbers. */
    private void refuseNumbering() {
        List<Integer> usable = look.usable().boxed().toList();
        for (int place : usable) {
            Numbering numbering = look.seen(place).numbering();
            Header header = look.header(place);
            if (header != null && !header.numbering().equals(numbering)) {
                look.refuseAll(Refusal.of(Kind.NUMBERING, place, numbering, header.numbering()));
            }
            usable.stream()
                    .filter(other -> other < place)
                    .map(other -> look.seen(other).numbering())
                    .filter(other -> other.increment() != numbering.increment() || other.offset() == numbering.offset())
                    .forEach(other -> look.refuseAll(Refusal.of(Kind.OVERLAP, place, numbering, other)));
        }
    }

    private void refuseTokens() {
        List<String> tokens = headers(look.seen).map(Header::token).distinct().toList();
        boolean isNew = look.known.token().isEmpty();
        if (tokens.isEmpty() || (isNew && tokens.size() == 1)) {
            return;
        }
        String expected = isNew ? tokens.get(0) : look.known.token();
        for (int place : look.places().toArray()) {
            Header header = look.header(place);
            if (header != null && !header.token().equals(expected)) {
                Refusal refusal = Refusal.of(Kind.TOKEN, place, header.token(), expected);
                if (isNew) {
                    look.refuseAll(refusal);
                } else {
                    look.refuse(refusal);
                }
            }
        }
    }

    private boolean isFirstUse(boolean hasHeader) {
        return look.seen.get(0) == null ? !isAny(State.OPEN) : !hasHeader || (isAny(State.NEW) && !isOpen(0));
    }

    /** Headers are created closed, the first one first, and opened once all agree, the first one last. */
    private void firstUse() {
        if (isAny(State.CLOSED) || isAny(State.MADE)) {
            return;
        }
        if (look.usable().count() < look.size()) {
            if (!isAny(State.OPEN)) {
                look.refuseAll(Kind.NOT_ALL_ANSWER);
            }
            return;
        }
        List<String> members = look.answers().map(Seen::identity).toList();
        Header first = look.header(0);
        if (first == null) {
            begin(members);
            return;
        }
        for (int place : look.places().toArray()) {
            Header header = look.header(place);
            if (header != null && !header.members().equals(members)) {
                look.refuseAll(Refusal.of(Kind.MEMBERS, place, members, header.members()));
                return;
            }
        }
        look.places()
                .filter(place -> look.header(place) == null)
                .forEach(place -> create(place, first.token(), members));
        if (look.writes.isEmpty()) {
            IntStream.iterate(look.size() - 1, place -> place >= 0, place -> place - 1)
                    .forEach(this::open);
        }
    }

    private void begin(List<String> members) {
        boolean wasOther = headers(look.first).findAny().isPresent();
        boolean isOther = headers(look.seen).findAny().isPresent();
        if (wasOther) {
            look.refuseAll(Kind.HEADER_LOST);
            look.doubts.add(0);
        } else if (isOther) {
            // Somebody has begun since the first read.
            look.refuseAll(Kind.NOT_ALL_ANSWER);
        } else if (look.isPartlyUsed()) {
            look.refuseAll(Kind.USED);
        } else {
            create(0, look.token, members);
        }
    }

    private void create(int place, String token, List<String> members) {
        Header header = new Header(
                Version.first(look.token), State.NEW, token, look.seen(place).numbering(), members, 1, "", "", "");
        look.writes.add(new Write(place, null, new ToHeader(look.counter, header)));
    }

    private void open(int place) {
        Header header = Objects.requireNonNull(look.header(place));
        if (header.state() == State.NEW) {
            look.writes.add(
                    new Write(place, header.version(), new ToHeader(look.counter, header.in(State.OPEN, look.token))));
        }
    }

    private void refuseStrangers() {
        List<String> named = headers(look.seen)
                .flatMap(header -> header.members().stream())
                .distinct()
                .toList();
        List<Integer> strangers = new ArrayList<>(look.places()
                .filter(place -> look.seen.get(place) != null && look.header(place) == null)
                .filter(place -> !named.contains(look.seen(place).identity()))
                .boxed()
                .toList());
        if (look.known.servers().isEmpty() && isAny(State.OPEN) && !strangers.isEmpty()) {
            int place = strangers.get(0);
            look.refuseAll(Refusal.of(Kind.MEMBERS, place, look.seen(place).identity(), named));
        }
    }

    private void judgeEach() {
        boolean isFirstOpen = isOpen(0);
        long era = look.first.stream()
                .filter(Objects::nonNull)
                .mapToLong(HeaderRules::newestEra)
                .reduce(look.known.era(), Math::max);
        look.usable().forEach(place -> {
            Header header = look.header(place);
            CounterRow row = look.row(place);
            if (header == null || (header.state() == State.NEW && isFirstOpen)) {
                look.refuse(Refusal.of(Kind.HEADER_LOST, place));
                look.doubts.add(place);
            } else if (header.era() < era || (row != null && row.era() < era)) {
                long own = row == null ? header.era() : Math.min(header.era(), row.era());
                look.refuse(Refusal.of(Kind.LEFT_BEHIND, place, own, era));
                look.doubts.add(place);
            } else if (header.state() == State.NEW) {
                look.refuse(Refusal.of(Kind.NOT_ALL_ANSWER, place));
            } else if (header.state() != State.OPEN) {
                look.refuse(Refusal.of(Kind.CLOSED, place, header.command(), header.target()));
            }
        });
    }

    static long newestEra(Seen seen) {
        return Math.max(
                seen.header() == null ? 0 : seen.header().era(),
                seen.row() == null ? 0 : seen.row().era());
    }
}
