package io.distributedid.internal.counter;

import io.distributedid.CounterMove.Kind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An operator's {@code repair} (the same list of servers) or {@code move} (another one, or none), for one counter. The
 * parts for all counters of a table differ in their keys only.
 *
 * @param id random; another one when the command is repeated
 * @param from names the list that has the counter, see {@link Header#target}
 * @param to names the list that gets it: the same for {@code repair}; empty if the counter ends
 * @param source the servers of {@code from}, in its order
 * @param target the servers of {@code to}, in its order
 * @param counter on the servers of {@code from}
 * @param successor the counter on the servers of {@code to}
 * @param above all ids in use lie at or below, as the operator says; 0 if he does not; {@link #LOST}
 * @param least the ids of counters that are merged with this one lie at or below; 0 if there are none
 * @param kind where the ids come from afterwards; of {@code repair}: {@link Kind#PLACE}
 * @param era at least the new era: seconds since 1970, since of tables that were emptied or restored, processes know
 *     more than the servers
 * @param place the token that the application's database remembers; empty if none
 */
public record RealignCommand(
        String id,
        String from,
        String to,
        List<Member> source,
        List<Member> target,
        CounterKey counter,
        CounterKey successor,
        long above,
        long least,
        Kind kind,
        long era,
        String place) {

    /**
     * A server of a list.
     *
     * @param address tells it, with the table, from all others of both lists
     * @param numbering in that list
     */
    public record Member(String address, Numbering numbering) {}

    /** The ledger lost what it knew of the counter, and the operator says above which id another one goes on. */
    static final long LOST = -1;

    /**
     * Names a list of servers with a table, so that a table that was closed for one list is not opened for another;
     * empty if there are none. By address and numbering: a server that was replaced, and has another identity, is in
     * the same list.
     */
    static String place(List<Member> servers) {
        try {
            String text = servers.stream()
                    .map(each -> each.address() + " " + each.numbering())
                    .collect(Collectors.joining("\n"));
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return text.isEmpty() ? "" : HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same for another counter of the table. */
    RealignCommand of(CounterKey other, CounterKey itsSuccessor, long itsAbove, long itsLeast) {
        return new RealignCommand(
                id, from, to, source, target, other, itsSuccessor, itsAbove, itsLeast, kind, era, place);
    }

    RealignCommand lost() {
        return of(counter, successor, LOST, least);
    }

    public RealignCommand {
        source = List.copyOf(source);
        target = List.copyOf(target);
    }

    boolean isRepair() {
        return from.equals(to);
    }

    /** Whether the counter gives no more ids. */
    boolean isEnd() {
        return kind == Kind.END;
    }

    /** Whether the place stays, and gets another token. */
    boolean isAnew() {
        return kind == Kind.LOST || kind == Kind.NEW_SPACE;
    }

    /** The counter on one of the {@link #servers}. */
    CounterKey counter(int place) {
        String address = servers().get(place);
        return target.stream().anyMatch(each -> each.address().equals(address)) ? successor : counter;
    }

    /** The addresses of all servers, each once, those of the old list first: the places of what a look shows. */
    public List<String> servers() {
        return Stream.concat(source.stream(), target.stream())
                .map(Member::address)
                .distinct()
                .toList();
    }
}
