package io.distributedid.internal.counter;

import io.distributedid.internal.counter.RealignCommand.Member;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What all servers of a command hold. The places are those of {@link RealignCommand#servers}. */
record RealignLook(RealignCommand command, List<Seen> seen, Part source, Part target) {

    /**
     * One of the two lists.
     *
     * @param places in its order
     * @param numberings in its order
     */
    record Part(List<Integer> places, List<Numbering> numberings) {

        static Part of(List<String> servers, List<Member> list) {
            return new Part(
                    list.stream()
                            .map(member -> servers.indexOf(member.address()))
                            .toList(),
                    list.stream().map(Member::numbering).toList());
        }

        boolean contains(int place) {
            return places.contains(place);
        }

        Numbering numbering(int place) {
            return numberings.get(places.indexOf(place));
        }
    }

    static RealignLook of(RealignCommand command, List<Seen> seen) {
        List<String> servers = command.servers();
        return new RealignLook(command, seen, Part.of(servers, command.source()), Part.of(servers, command.target()));
    }

    IntStream places() {
        return IntStream.range(0, seen.size());
    }

    @Nullable
    Header header(int place) {
        return seen.get(place).header();
    }

    Stream<Header> headers() {
        return seen.stream().map(Seen::header).filter(Objects::nonNull);
    }

    Stream<Header> headers(Part list) {
        return list.places().stream().map(this::header).filter(Objects::nonNull);
    }

    /** Of the servers that number as those of a list. */
    Stream<Header> headersOf(Part list) {
        return list.places().stream()
                .filter(place -> isOf(list, place))
                .map(this::header)
                .filter(Objects::nonNull);
    }

    /** Whether the server numbers as one of a list. */
    boolean isOf(Part list, int place) {
        Header header = header(place);
        return list.contains(place) && header != null && header.numbering().equals(list.numbering(place));
    }

    RealignLook lost() {
        return new RealignLook(command.lost(), seen, source, target);
    }

    /** After a number was drawn from ticket tables: it is the last id, which a look did not show before. */
    RealignLook drawn(Set<Integer> places) {
        List<Seen> known = places().mapToObj(
                        place -> places.contains(place) ? seen.get(place).drawn() : seen.get(place))
                .toList();
        return new RealignLook(command, known, source, target);
    }

    static Set<String> tokens(Stream<Header> headers) {
        return headers.map(Header::token).collect(Collectors.toSet());
    }

    String identity(int place) {
        return seen.get(place).identity();
    }

    List<String> members(Part list) {
        return list.places().stream().map(this::identity).toList();
    }

    /** Of a list, for a header there: a repair does not forget a member whose identity it does not learn. */
    List<String> members(Part list, @Nullable Header before) {
        boolean isKept = before != null && command.isRepair() && !command.isAnew();
        return isKept ? Header.known(members(list), before.members()) : members(list);
    }

    /** Whether it was closed for the same target. */
    boolean isOurs(Header header) {
        return !header.next().isEmpty() && header.target().equals(command.to());
    }

    /** Why the command needs to know above which id it must go on: a lone server lost ids. Null if it does not. */
    @Nullable
    Refusal lostAlone() {
        Seen first = seen.get(0);
        if (command.above() > 0
                || source.places().size() > 1
                || (!CounterRules.hasLost(first) && !CounterRules.isOther(first))) {
            return null;
        }
        return CounterRules.lostAlone(
                0, first, first.row() == null ? 0 : first.row().number());
    }

    /** Why the target can't be raised so far; null if it can. */
    @Nullable
    Refusal noRoom(long above) {
        return first(target.places(), place -> {
            Seen each = seen.get(place);
            return CounterRules.isBeyondEnd(each, above) ? CounterRules.noRoom(place, each, above) : null;
        });
    }

    /** The first reason that a place gives; null if none does. */
    static @Nullable Refusal first(List<Integer> places, IntFunction<@Nullable Refusal> why) {
        return places.stream()
                .map(why::apply)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    Verdict refused(Refusal why) {
        return new Verdict(List.of(), Collections.nCopies(seen.size(), why), Set.of(), Set.of());
    }

    Verdict writes(List<Write> writes) {
        return new Verdict(writes, Collections.nCopies(seen.size(), null), Set.of(), Set.of());
    }

    Verdict doubts(Set<Integer> places) {
        return new Verdict(List.of(), Collections.nCopies(seen.size(), null), places, Set.of());
    }
}
