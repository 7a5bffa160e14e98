package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.NumberingRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decides which of the two lists is in use, from the servers' claims alone. A move gives one generation, newer than
 * any, to all claims that it fences; the next generation to those that it fills or retires; and the one after that to
 * those that it opens. In the list in use, each server
 *
 * <ul>
 *   <li>is open, all under one generation,
 *   <li>or was filled by a move that was interrupted before it opened the server,
 *   <li>or was in use when an earlier move fenced it.
 * </ul>
 *
 * <p>The other servers are new, retired, left behind with an older generation, or part of the earlier move. In any
 * other case a server in use is missing in the lists, and the move is refused. Sends no SQL.
 */
final class MovePlan {

    private final List<MoveServer> all;

    private final Set<Integer> lost;

    private final int from;

    private final List<MoveServer> inUse;

    private final boolean done;

    private MovePlan(List<MoveServer> all, Set<Integer> lost, int from, int to) {
        this.all = all;
        this.lost = lost;
        this.from = from;
        requireOneToken();
        List<MoveServer> old =
                all.stream().filter(server -> server.old().isPresent()).toList();
        List<MoveServer> next =
                all.stream().filter(server -> server.next().isPresent()).toList();
        boolean oldIsUsed = isInUse(old, MoveServer::old, from);
        boolean nextIsUsed = isInUse(next, MoveServer::next, to);
        if (!oldIsUsed && !nextIsUsed) {
            throw noMatch();
        }
        this.inUse = oldIsUsed ? old : next;
        this.done = lost.isEmpty() && nextIsUsed && isDone(next);
    }

    /** {@code lost} are places in the old list; {@code from} and {@code to} are the lengths of the lists. */
    static MovePlan of(List<MoveServer> all, Set<Integer> lost, int from, int to) {
        return new MovePlan(all, lost, from, to);
    }

    /** Whether only the new list is in use: nothing is left to do. */
    boolean isDone() {
        return done;
    }

    /** The servers of the list in use, without the lost ones. */
    List<MoveServer> inUse() {
        return inUse;
    }

    /** The token of the id space; empty if no server has a claim. */
    Optional<String> token() {
        return all.stream()
                .flatMap(server -> server.claim().stream())
                .map(NumberingRecord::token)
                .findFirst();
    }

    /** A generation newer than those of all claims. */
    long nextGeneration() {
        return 1 + newest(all);
    }

    /** The numbering for a fenced claim. It shows a later move whether the server was in use at that time. */
    Numbering fencedNumbering(MoveServer server) {
        NumberingRecord claim = server.claim().orElse(null);
        boolean isUsed = inUse.contains(server);
        if (claim == null) {
            return isUsed ? new Numbering(1, 1) : MoveServer.UNUSED;
        }
        return switch (claim.state()) {
            case MOVING, READY -> claim.numbering();
            case NEW, OPEN -> isUsed ? claim.numbering() : MoveServer.UNUSED;
            case RETIRED -> MoveServer.UNUSED;
        };
    }

    private void requireOneToken() {
        Map<String, String> tokens = new TreeMap<>();
        for (MoveServer server : all) {
            server.claim().ifPresent(claim -> tokens.put(claim.token(), server.label()));
        }
        if (tokens.size() > 1) {
            throw new IdConfigurationException("The servers must belong to one id space: table="
                    + all.get(0).table() + " tokens=" + tokens
                    + ". A server that was used for another id space can't take part: use another table there");
        }
    }

    private boolean isInUse(List<MoveServer> list, Function<MoveServer, Optional<Numbering>> numbering, int servers) {
        List<MoveServer> rest = new ArrayList<>(all);
        rest.removeAll(list);
        if (servers == 1 && list.get(0).claim().isEmpty()) {
            return rest.stream().allMatch(server -> server.claim().isEmpty());
        }
        long opened = newest(list.stream().filter(MoveServer::isOpen).toList());
        boolean isUsed = list.stream()
                .allMatch(server -> server.claim()
                        .filter(claim ->
                                isUsed(server, claim, numbering.apply(server).orElseThrow(), opened))
                        .isPresent());
        long newest = newest(list);
        return isUsed && rest.stream().filter(MoveServer::isOpen).allMatch(server -> isLeftBehind(server, newest));
    }

    private static boolean isUsed(MoveServer server, NumberingRecord claim, Numbering numbering, long opened) {
        boolean isOfList = claim.numbering().equals(numbering);
        boolean isOfEither = isOfList
                || server.old().filter(claim.numbering()::equals).isPresent()
                || server.next().filter(claim.numbering()::equals).isPresent();
        return switch (claim.state()) {
            case OPEN -> isOfList && claim.generation() == opened;
            case NEW -> isOfList && claim.generation() >= opened - 1;
            case READY -> (isOfList && claim.generation() >= opened - 1) || (isOfEither && claim.generation() > opened);
            case MOVING -> isOfEither && claim.generation() > opened;
            case RETIRED -> false;
        };
    }

    private boolean isLeftBehind(MoveServer server, long newest) {
        NumberingRecord claim = server.claim().orElseThrow();
        boolean isLost = claim.numbering().increment() == from
                && lost.contains(Math.toIntExact(claim.numbering().offset()));
        return claim.generation() < newest || (isLost && claim.generation() == newest);
    }

    private boolean isDone(List<MoveServer> next) {
        boolean isOpen = next.stream()
                .allMatch(server -> server.isOpen() || server.claim().isEmpty());
        return isOpen
                && all.stream()
                        .filter(server -> !next.contains(server))
                        .flatMap(server -> server.claim().stream())
                        .allMatch(claim -> claim.state() == NumberingRecord.State.RETIRED);
    }

    private static long newest(List<MoveServer> servers) {
        return servers.stream()
                .flatMap(server -> server.claim().stream())
                .map(NumberingRecord::generation)
                .max(Comparator.naturalOrder())
                .orElse(0L);
    }

    private IdConfigurationException noMatch() {
        String found = all.stream().map(MovePlan::describe).collect(Collectors.joining("; "));
        return new IdConfigurationException("The servers do not match the lists: table="
                + all.get(0).table() + ", found: " + found
                + ". List all servers in the order that the applications have now, and the new ones; name those that"
                + " are lost; and first finish or undo an earlier move, with its lists");
    }

    private static String describe(MoveServer server) {
        return server.label() + place(" old place ", server.old()) + place(" new place ", server.next()) + " has "
                + server.claim()
                        .map(claim -> claim.numbering() + " state="
                                + claim.state().name().toLowerCase(Locale.ROOT) + " generation=" + claim.generation())
                        .orElse("no claim");
    }

    private static String place(String list, Optional<Numbering> numbering) {
        return numbering
                .map(found -> list + found.offset() + " of " + found.increment())
                .orElse("");
    }
}
