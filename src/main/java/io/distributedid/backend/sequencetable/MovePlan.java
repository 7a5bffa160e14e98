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

/**
 * Whether the servers are what the lists make them. Each run gives all claims that it fences one generation, newer than
 * any; those it fills or retires the next one, and those it opens the one after that. So one of the two lists must be
 * the one in use: each of its servers
 *
 * <ul>
 *   <li>is open, all under one generation,
 *   <li>or was filled, and the run that was to open it was cut off,
 *   <li>or was in use when an earlier run fenced it.
 * </ul>
 *
 * <p>The rest of the servers are new, retired, left behind with an older generation, or part of the earlier run.
 * Anything else means that a server in use is not in the lists. Talks to no server.
 */
final class MovePlan {

    private final List<MoveServer> all;

    private final Set<Integer> lost;

    private final int from;

    private final int to;

    private final List<MoveServer> inUse;

    private final boolean done;

    private MovePlan(List<MoveServer> all, Set<Integer> lost, int from, int to) {
        this.all = all;
        this.lost = lost;
        this.from = from;
        this.to = to;
        requireOneToken();
        List<MoveServer> old =
                all.stream().filter(server -> server.old().isPresent()).toList();
        List<MoveServer> next =
                all.stream().filter(server -> server.next().isPresent()).toList();
        boolean oldIsUsed = isInUse(old, MoveServer::old, from);
        boolean nextIsUsed = isInUse(next, MoveServer::next, to);
        if (!oldIsUsed && !nextIsUsed) {
            throw notAsListed();
        }
        this.inUse = oldIsUsed ? old : next;
        this.done = lost.isEmpty() && nextIsUsed && isDone(next);
    }

    /**
     * Decides.
     *
     * @param lost places in the old list
     * @param from the length of the old list
     * @param to the length of the new list
     * @throws IdConfigurationException if the servers are not what the lists make them
     */
    static MovePlan of(List<MoveServer> all, Set<Integer> lost, int from, int to) {
        return new MovePlan(all, lost, from, to);
    }

    /** Whether the new list is in use already, and that alone. */
    boolean isDone() {
        return done;
    }

    /** The servers of one list, which were in use last; not those that are lost. */
    List<MoveServer> inUse() {
        return inUse;
    }

    /** Of the id space; empty if there is no claim yet. */
    Optional<String> token() {
        return all.stream()
                .flatMap(server -> server.claim().stream())
                .map(NumberingRecord::token)
                .findFirst();
    }

    /** Newer than all claims. */
    long nextGeneration() {
        return 1 + newest(all);
    }

    /** The numbering that tells a later run that the server was in use when this one fenced it. */
    Numbering kept(MoveServer server) {
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

    private IdConfigurationException notAsListed() {
        StringBuilder found = new StringBuilder();
        for (MoveServer server : all) {
            found.append(found.length() == 0 ? "" : "; ").append(server.label());
            server.old()
                    .ifPresent(numbering -> found.append(" old place ")
                            .append(numbering.offset())
                            .append(" of ")
                            .append(from));
            server.next()
                    .ifPresent(numbering -> found.append(" new place ")
                            .append(numbering.offset())
                            .append(" of ")
                            .append(to));
            found.append(" has ").append(server.claim().map(MovePlan::text).orElse("no claim"));
        }
        return new IdConfigurationException("The servers are not what the lists make them: table="
                + all.get(0).table() + ", found: " + found
                + ". List all servers in the order that the applications have now, and the new ones; name those that are"
                + " lost; and finish or take back an earlier move first, with its lists");
    }

    private static String text(NumberingRecord claim) {
        return claim.numbering() + " state=" + claim.state().name().toLowerCase(Locale.ROOT) + " generation="
                + claim.generation();
    }
}
