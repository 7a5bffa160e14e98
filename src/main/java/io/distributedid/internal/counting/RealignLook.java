package io.distributedid.internal.counting;

import io.distributedid.internal.counting.RealignCommand.Member;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What all servers of a command hold. The places are those of {@link RealignCommand#servers}.
 *
 * @param source the places of the old list, in its order
 * @param target the places of the new list, in its order
 */
record RealignLook(RealignCommand command, List<Seen> seen, List<Integer> source, List<Integer> target) {

    static RealignLook of(RealignCommand command, List<Seen> seen) {
        List<String> servers = command.servers();
        return new RealignLook(command, seen, places(servers, command.source()), places(servers, command.target()));
    }

    private static List<Integer> places(List<String> servers, List<Member> list) {
        return list.stream().map(member -> servers.indexOf(member.address())).toList();
    }

    IntStream places() {
        return IntStream.range(0, seen.size());
    }

    @Nullable
    Header header(int place) {
        return seen.get(place).header();
    }

    Stream<Header> headers() {
        return headers(places().boxed().toList());
    }

    Stream<Header> headers(List<Integer> list) {
        return list.stream().map(this::header).filter(Objects::nonNull);
    }

    CounterKey counter(int place) {
        return target.contains(place) ? command.successor() : command.counter();
    }

    Numbering ofSource(int place) {
        return command.source().get(source.indexOf(place)).numbering();
    }

    Numbering ofTarget(int place) {
        return command.target().get(target.indexOf(place)).numbering();
    }

    /** Whether the server numbers as one of the old list. */
    boolean isOfSource(int place) {
        Header header = header(place);
        return source.contains(place) && header != null && header.numbering().equals(ofSource(place));
    }

    /** Whether the server numbers as one of the new list. */
    boolean isOfTarget(int place) {
        Header header = header(place);
        return target.contains(place) && header != null && header.numbering().equals(ofTarget(place));
    }

    List<String> members(List<Integer> list) {
        return list.stream().map(place -> seen.get(place).identity()).toList();
    }

    /** Whether it was closed for the same target. */
    boolean isOurs(Header header) {
        return !header.next().isEmpty() && header.target().equals(command.to());
    }

    Set<String> tokens(Stream<Header> headers) {
        return headers.map(Header::token).collect(Collectors.toSet());
    }

    /** Whether a lone server lost ids, and the operator does not say above which id it must go on. */
    boolean isLostAlone() {
        Seen first = seen.get(0);
        return command.above() == 0
                && source.size() == 1
                && (CounterRules.hasLost(first) || CounterRules.isOther(first));
    }
}
