package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The first step of a {@link Plan}: which claims are broken, and which must be made or opened. */
final class Claims {

    private final CounterKey counter;

    /** By place; the plan removes those that it refuses. */
    private final Map<Integer, Seen> seen;

    private final CounterHistory history;

    /** The newest generation of a claim, by its token. */
    private final Map<String, Long> newest = new TreeMap<>();

    Claims(CounterKey counter, Map<Integer, Seen> seen, CounterHistory history) {
        this.counter = counter;
        this.seen = seen;
        this.history = history;
        seen.values().stream()
                .flatMap(each -> each.claim().stream())
                .forEach(claim -> newest.merge(claim.token(), claim.generation(), Math::max));
    }

    /** Why no ids may be drawn from a server; empty if its claim permits it or is missing. */
    Optional<String> broken(Seen each) {
        return brokenClaim(each).or(() -> leftBehind(each));
    }

    private Optional<String> brokenClaim(Seen each) {
        NumberingRecord claim = each.claim().orElse(null);
        if (claim == null) {
            return Optional.empty();
        }
        if (claim.state() != NumberingRecord.State.NEW && claim.state() != NumberingRecord.State.OPEN) {
            return Optional.of("The counters were moved away: " + where(each) + " state="
                    + claim.state().name().toLowerCase(Locale.ROOT)
                    + (claim.state() == NumberingRecord.State.RETIRED
                            ? ". List the servers and the table that hold them now"
                            : ". Finish the move or the repair by repeating it"));
        }
        if (!claim.numbering().equals(each.numbering())) {
            return Optional.of("Clients must number the servers alike: " + where(each) + " is claimed with "
                    + claim.numbering() + ", but this client has " + each.numbering()
                    + ". List the same servers in the same order and with the same numbering in all applications, and"
                    + " no database twice; or bring the counters to the new list: " + counter.moveCommand());
        }
        return history.token()
                .filter(known -> !known.equals(claim.token()))
                .map(known -> "The servers must belong to one id space: " + where(each) + " has token="
                        + claim.token()
                        + ", but this client has taken ids of token=" + known
                        + ". Does a DataSource or an address lead to another server now? Correct it, and restart"
                        + " this client");
    }

    /**
     * A move gives the claims of all servers one generation. A server that was away until its end keeps an older one.
     */
    private Optional<String> leftBehind(Seen each) {
        return each.claim()
                .filter(claim -> claim.state() == NumberingRecord.State.OPEN
                        && claim.generation() < newest.getOrDefault(claim.token(), 0L))
                .map(claim -> "A move has left a server behind: " + where(each) + " has a claim of generation="
                        + claim.generation() + ", another server has generation=" + newest.get(claim.token())
                        + ". If the move was cut off, repeat it or take it back; else list the servers that hold the"
                        + " counters now");
    }

    void requireOneToken() {
        Map<String, Seen> tokens = new TreeMap<>();
        seen.values().forEach(each -> each.claim().ifPresent(claim -> tokens.putIfAbsent(claim.token(), each)));
        if (tokens.size() > 1) {
            StringBuilder found = new StringBuilder();
            tokens.forEach((token, each) -> found.append(found.length() == 0 ? "" : ", ")
                    .append(each.label())
                    .append(" has token=")
                    .append(token));
            throw new IdConfigurationException("The servers must belong to one id space: " + counter + ": " + found
                    + ". List the servers that belong together");
        }
    }

    /**
     * The next changes of claims, in order; empty if all are open.
     *
     * @param requireAll throws if a server did not answer, for a reason that it names
     */
    List<Change> changes(Consumer<String> requireAll) {
        List<Change> changes = new ArrayList<>();
        Collection<Seen> all = seen.values();
        if (all.stream()
                .allMatch(each -> each.claim()
                        .filter(claim -> claim.state() == NumberingRecord.State.OPEN)
                        .isPresent())) {
            all.forEach(each -> each.claim().ifPresent(claim -> history.learn(claim.token())));
            return changes;
        }
        Seen first = all.stream()
                .min(Comparator.comparingLong(each -> each.numbering().offset()))
                .orElseThrow();
        Optional<NumberingRecord> firstClaim = first.claim();
        boolean anyOpen = all.stream()
                .flatMap(each -> each.claim().stream())
                .anyMatch(claim -> claim.state() == NumberingRecord.State.OPEN);
        List<Seen> missing = all.stream().filter(each -> each.claim().isEmpty()).toList();
        boolean isLaterUse = anyOpen
                || history.token().isPresent()
                || (firstClaim.isEmpty()
                        && all.stream().anyMatch(each -> each.claim().isPresent()));
        if (isLaterUse && !missing.isEmpty()) {
            throw new IdConfigurationException(lostClaim(missing.get(0), missing.size() == all.size()));
        }
        if (!anyOpen) {
            requireAll.accept("claims a table of counters for the first time");
        }
        if (firstClaim.isEmpty()) {
            requireAllOrNoneUsed();
            changes.add(Change.claim(first, history.newToken()));
            return changes;
        }
        missing.forEach(each -> changes.add(Change.claim(each, firstClaim.get().token())));
        if (missing.isEmpty()) {
            all.stream()
                    .filter(each -> each.claim().orElseThrow().state() == NumberingRecord.State.NEW)
                    .sorted(Comparator.comparingLong(
                                    (Seen each) -> each.numbering().offset())
                            .reversed())
                    .forEach(each -> changes.add(Change.open(each)));
        }
        return changes;
    }

    /** {@code allLost}: no server is left that knows how far the counter must be raised. */
    private String lostClaim(Seen lost, boolean allLost) {
        String found =
                "A server has lost its counters, or another has taken its place: " + where(lost) + " has no claim, ";
        if (allLost) {
            return found + "but this client has taken ids of token="
                    + history.token().orElseThrow() + ". " + repair() + " --above ID, the largest id in use";
        }
        return found + "another has. " + repair();
    }

    private void requireAllOrNoneUsed() {
        Optional<Seen> used =
                seen.values().stream().filter(each -> each.lastOrZero() > 0).findFirst();
        Optional<Seen> unused =
                seen.values().stream().filter(each -> each.lastOrZero() == 0).findFirst();
        if (used.isPresent() && unused.isPresent()) {
            throw new IdConfigurationException("An empty server stands beside one that gave ids: " + where(unused.get())
                    + " id=0, " + used.get().label() + " id=" + used.get().lastOrZero()
                    + ". A counter that is in use is not divided between servers by listing them. To divide it: "
                    + counter.moveCommand() + "; if the empty server was replaced: " + counter.repairCommand());
        }
    }

    private String repair() {
        return "To end this, stop the clients and run: " + counter.repairCommand();
    }

    private String where(Seen each) {
        return counter + " on " + each.label();
    }
}
