package io.distributedid.internal.counter;

import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.Refusal.Kind;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.ledger.ServerIdentity;
import io.distributedid.internal.ledger.Version;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges the headers of a table, creates and opens them at the first use, and names members that changed. See
 * {@link CounterRules}.
 */
record HeaderRules(Judgement look) {

    /** Does something with a header. */
    private interface Act {

        void on(int place, Header header);
    }

    void judge() {
        forEach((place, header) -> {
            if (header.state() == State.MOVED) {
                look.refuse(Kind.MOVED, place, header.target(), header.next());
            }
        });
        refuseNumbering();
        refuseTokens();
        boolean hasHeader = headers(look.seen).findAny().isPresent();
        boolean isNew = look.seen.get(0) == null ? !isAny(State.OPEN) : !hasHeader || (isAny(State.NEW) && !isOpen(0));
        if (!hasHeader && !look.known.token().isEmpty()) {
            look.refuseAll(Kind.HEADER_LOST);
        } else if (isNew && !isAny(State.CLOSED) && !isAny(State.MADE)) {
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

    private void forEach(Act act) {
        look.places().forEach(place -> {
            Header header = look.header(place);
            if (header != null) {
                act.on(place, header);
            }
        });
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
        int[] usable = look.usable().toArray();
        for (int place : usable) {
            Numbering numbering = look.seen(place).numbering();
            Header header = look.header(place);
            if (header != null && !header.numbering().equals(numbering)) {
                look.refuseAll(Kind.NUMBERING, place, numbering, header.numbering());
            }
            IntStream.of(usable)
                    .filter(each -> each < place)
                    .mapToObj(each -> look.seen(each).numbering())
                    .filter(each -> each.increment() != numbering.increment() || each.offset() == numbering.offset())
                    .forEach(each -> look.refuseAll(Kind.OVERLAP, place, numbering, each));
        }
    }

    private void refuseTokens() {
        boolean isNew = look.known.token().isEmpty();
        String expected =
                isNew ? headers(look.seen).map(Header::token).findFirst().orElse("") : look.known.token();
        forEach((place, header) -> {
            if (!header.token().equals(expected) && isNew) {
                look.refuseAll(Kind.TOKEN, place, header.token(), expected);
            } else if (!header.token().equals(expected)) {
                look.refuse(Kind.TOKEN, place, header.token(), expected);
            }
        });
    }

    /** Headers are created closed, the first one first, and opened once all agree, the first one last. */
    private void firstUse() {
        List<String> seen = look.answers().map(Seen::identity).toList();
        Header first = look.header(0);
        List<String> members = first == null ? seen : Header.known(seen, first.members());
        if (look.usable().count() < look.seen.size()) {
            if (!isAny(State.OPEN)) {
                look.refuseAll(Kind.NOT_ALL_ANSWER);
            }
        } else if (first == null) {
            begin(members);
        } else {
            forEach((place, header) -> {
                if (!Header.known(header.members(), members).equals(Header.known(members, header.members()))) {
                    look.refuseAll(Kind.MEMBERS, place, members, header.members());
                }
            });
            look.usable()
                    .filter(place -> look.header(place) == null)
                    .forEach(place -> create(place, first.token(), members));
            if (look.writes.isEmpty()) {
                look.usable().boxed().sorted(Comparator.reverseOrder()).forEach(this::open);
            }
        }
    }

    private void begin(List<String> members) {
        OptionalInt same = ServerIdentity.sameAsBefore(members);
        if (headers(look.first).findAny().isPresent()) {
            look.refuseAll(Kind.HEADER_LOST);
            look.doubts.add(0);
        } else if (headers(look.seen).findAny().isPresent()) {
            // Somebody has begun since the first read.
            look.refuseAll(Kind.NOT_ALL_ANSWER);
        } else if (look.answers().anyMatch(seen -> seen.row() != null)) {
            look.refuseAll(Kind.HEADER_LOST);
        } else if (look.isPartlyUsed()) {
            look.refuseAll(Kind.USED);
        } else if (same.isPresent()) {
            look.refuseAll(Kind.SAME, same.getAsInt(), members.get(same.getAsInt()), members);
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
            Header open = header.in(State.OPEN, look.token);
            look.writes.add(new Write(place, header.version(), new ToHeader(look.counter, open)));
        }
    }

    /**
     * Names members as they answer now: another server may have taken a place, or an identity was unknown before. The
     * rows follow, so that a server which gives ids is named. Taken from headers of the first read alone, so that the
     * writes for all counters of a table are equal.
     *
     * @param acceptsOthers whether a member whose identity was known may have another one
     */
    void nameMembers(boolean acceptsOthers) {
        look.usable().forEach(place -> {
            Seen seen = look.first.get(place);
            Header header = seen == null ? null : seen.header();
            if (header == null || header.state() != State.OPEN) {
                return;
            }
            List<String> named = header.members();
            List<String> answers =
                    look.first.stream().map(each -> identity(each, header)).toList();
            List<String> members = acceptsOthers ? Header.known(answers, named) : Header.known(named, answers);
            if (members.size() == named.size() && !named.containsAll(members)) {
                Header changed = header.naming(members, look.token);
                look.writes.add(new Write(place, header.version(), new ToHeader(look.counter, changed)));
            }
        });
    }

    /** Of a member of the same list; else empty. */
    private static String identity(@Nullable Seen seen, Header one) {
        Header other = seen == null ? null : seen.header();
        boolean isBeside = other != null
                && other.state() == State.OPEN
                && other.token().equals(one.token())
                && other.era() == one.era();
        return isBeside ? seen.identity() : "";
    }

    private void refuseStrangers() {
        List<String> named = headers(look.seen)
                .flatMap(header -> header.members().stream())
                .distinct()
                .toList();
        if (look.known.servers().isEmpty() && isAny(State.OPEN)) {
            look.places()
                    .filter(place -> look.seen.get(place) != null && look.header(place) == null)
                    .filter(place -> !named.contains(look.seen(place).identity()))
                    .forEach(place ->
                            look.refuseAll(Kind.MEMBERS, place, look.seen(place).identity(), named));
        }
    }

    private void judgeEach() {
        boolean isFirstOpen = isOpen(0);
        long era = look.first.stream()
                .filter(Objects::nonNull)
                .mapToLong(Seen::era)
                .reduce(look.known.era(), Math::max);
        look.usable().forEach(place -> {
            Header header = look.header(place);
            CounterRow row = look.row(place);
            if (header == null || (header.state() == State.NEW && isFirstOpen)) {
                look.refuse(Kind.HEADER_LOST, place);
                look.doubts.add(place);
            } else if (header.state() == State.CLOSED || header.state() == State.MADE) {
                look.refuse(Kind.CLOSED, place, header.command(), header.target());
            } else if (header.era() < era || (row != null && row.era() < era)) {
                look.refuse(Kind.LEFT_BEHIND, place, Math.min(header.era(), row == null ? era : row.era()), era);
                look.doubts.add(place);
            } else if (header.state() == State.NEW) {
                look.refuse(Kind.NOT_ALL_ANSWER, place);
            }
        });
    }
}
