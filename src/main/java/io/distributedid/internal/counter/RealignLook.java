package io.distributedid.internal.counter;

import io.distributedid.internal.counter.RealignCommand.Member;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

    static Set<String> tokens(Stream<Header> headers) {
        return headers.map(Header::token).collect(Collectors.toSet());
    }

    CounterKey counter(int place) {
        return target.contains(place) ? command.successor() : command.counter();
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

    Verdict refused(Refusal why) {
        return verdict(List.of(), why, Set.of());
    }

    Verdict writes(Collection<Write> writes) {
        return verdict(List.copyOf(writes), null, Set.of());
    }

    Verdict doubts(Set<Integer> places) {
        return verdict(List.of(), null, places);
    }

    private Verdict verdict(List<Write> writes, @Nullable Refusal why, Set<Integer> doubts) {
        return RealignRules.verdict(seen.size(), writes, why, doubts);
    }
}
