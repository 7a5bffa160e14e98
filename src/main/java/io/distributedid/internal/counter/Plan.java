package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides, from one look at all servers that answer, what has to be changed before ids may be drawn. Talks to no
 * server. The caller makes the changes, each only if its server still is as it was seen, and looks again, until there
 * is nothing left to change.
 *
 * <ol>
 *   <li><b>Claims.</b> The table of counters is claimed on all servers or on none: first on the server with the
 *       smallest offset, with a random token, then with the same token on the others; then all are opened, that
 *       server's last. All servers must answer. A claim that is missing once that server's is open was lost. An open
 *       claim of an older generation than another's was left behind by a move.
 *   <li><b>Counters.</b> A counter that no record knows is new. It is created on the servers that answer, which record
 *       for each other server that it is not created there yet. It is created there later on that record alone. Any
 *       other missing row was lost.
 *   <li><b>Another identity</b> means that a replica has taken the server's place: see {@link DriftLimit.Failover}.
 *   <li><b>Lost ids.</b> A server that lies below what it is known to have given, or that has an older generation, is
 *       raised to twice {@link DriftLimit#max} above all that is known. If no other server answers it is refused.
 *   <li><b>Distance.</b> A server that lies too far behind is raised to the others, one that lies much too far ahead is
 *       refused.
 *   <li><b>Floors.</b> What was asked for: a start, ids that exist.
 * </ol>
 */
final class Plan {

    /** A server that lost ids may have lost generations too, which others have heard of: so many are passed over. */
    static final long LOST_GENERATIONS = 1_000_000;

    private final CounterKey counter;

    private final List<String> labels;

    private final Map<Integer, Seen> seen = new TreeMap<>();

    private final CounterHistory history;

    private final DriftLimit distance;

    private final CounterMinimum minimum;

    /** The newest generation of a claim, by its token. */
    private final Map<String, Long> newest = new TreeMap<>();

    private final List<Change> changes = new ArrayList<>();

    private final Map<Integer, IdConfigurationException> refusals = new TreeMap<>();

    private Plan(
            CounterKey counter,
            List<String> labels,
            List<Seen> answers,
            CounterHistory history,
            DriftLimit distance,
            CounterMinimum minimum) {
        this.counter = counter;
        this.labels = labels;
        answers.forEach(answer -> seen.put(answer.place(), answer));
        this.history = history;
        this.distance = distance;
        this.minimum = minimum;
    }

    /**
     * Decides.
     *
     * @param counter that is looked at
     * @param labels of all servers, in order
     * @param answers of those that answered
     * @param history what this process knows
     * @param distance how far servers may lie apart
     * @param minimum what the counter must lie above
     * @throws IdConfigurationException if a server must not be used, and none of the others until that is mended
     * @throws IdUnavailableException if all servers must answer, and one does not
     */
    static Plan of(
            CounterKey counter,
            List<String> labels,
            List<Seen> answers,
            CounterHistory history,
            DriftLimit distance,
            CounterMinimum minimum) {
        Plan plan = new Plan(counter, labels, answers, history, distance, minimum);
        plan.decide();
        return plan;
    }

    /** What is to be changed first; empty if nothing is. */
    List<Change> changes() {
        return changes;
    }

    /** The servers that must not be used, by place. */
    Map<Integer, IdConfigurationException> refusals() {
        return refusals;
    }

    private void decide() {
        seen.values().stream()
                .flatMap(each -> each.claim().stream())
                .forEach(claim -> newest.merge(claim.token(), claim.generation(), Math::max));
        for (Seen each : List.copyOf(seen.values())) {
            Optional<String> broken = brokenClaim(each)
                    .or(() -> leftBehind(each))
                    .or(() -> retired(each))
                    .or(() -> brokenRemainder(each));
            if (broken.isPresent()) {
                refuse(each, broken.get());
                seen.remove(each.place());
            }
        }
        requireOneToken();
        claim();
        if (!changes.isEmpty()) {
            return;
        }
        seen.values().forEach(each -> history.glimpse(each.place(), each.lastOrZero()));
        seen.values().forEach(this::create);
        if (changes.isEmpty()) {
            seen.values().forEach(this::settle);
        }
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
                    + ". List the same servers in the same order and with the same numbering in all applications, and no"
                    + " database twice; or bring the counters to the new list: " + counter.moveCommand());
        }
        return history.token()
                .filter(known -> !known.equals(claim.token()))
                .map(
                        known -> "The servers must belong to one id space: " + where(each) + " has token="
                                + claim.token()
                                + ", but this client has taken ids of token=" + known
                                + ". Does a DataSource or an address lead to another server now? Correct it, and restart this client");
    }

    private Optional<String> retired(Seen each) {
        return each.counter()
                .filter(CounterRecord::isRetired)
                .map(record -> "The counter was retired, its sequence takes its ids from another place now: "
                        + where(each) + ". Take over the settings of the applications that were started last");
    }

    /**
     * A move gives the claims of all servers the same generation, but that of one that was away for good keeps its own.
     */
    private Optional<String> leftBehind(Seen each) {
        return each.claim()
                .filter(claim -> claim.state() == NumberingRecord.State.OPEN
                        && claim.generation() < newest.getOrDefault(claim.token(), 0L))
                .map(claim -> "A move has left a server behind: " + where(each) + " has a claim of generation="
                        + claim.generation() + ", another server has generation=" + newest.get(claim.token())
                        + ". If the move was cut off, repeat it or take it back; else list the servers that hold the counters"
                        + " now");
    }

    private void requireOneToken() {
        Map<String, Seen> tokens = new TreeMap<>();
        seen.values().forEach(each -> each.claim().ifPresent(claim -> tokens.putIfAbsent(claim.token(), each)));
        if (tokens.size() > 1) {
            StringBuilder said = new StringBuilder();
            tokens.forEach((token, each) -> said.append(said.length() == 0 ? "" : ", ")
                    .append(each.label())
                    .append(" has token=")
                    .append(token));
            throw new IdConfigurationException("The servers must belong to one id space: " + counter + ": " + said
                    + ". List the servers that belong together");
        }
    }

    private Optional<String> brokenRemainder(Seen each) {
        long last = each.lastOrZero();
        return last == 0 || each.numbering().holds(last)
                ? Optional.empty()
                : Optional.of("A counter has an id that its server never gives: " + where(each) + " id=" + last + ", "
                        + each.numbering() + ". Another numbering gave it, or a client that draws one id at a time"
                        + " without the numbering. Stop that client; list the servers in their old order; or raise all"
                        + " counters above it: " + counter.repairCommand());
    }

    private void claim() {
        List<Seen> recorded = seen.values().stream().filter(Seen::isRecorded).toList();
        if (recorded.isEmpty()
                || recorded.stream()
                        .allMatch(each -> each.claim()
                                .filter(claim -> claim.state() == NumberingRecord.State.OPEN)
                                .isPresent())) {
            recorded.forEach(each -> each.claim().ifPresent(claim -> history.learn(claim.token())));
            return;
        }
        Seen first = recorded.stream()
                .min(Comparator.comparingLong(each -> each.numbering().offset()))
                .orElseThrow();
        Optional<NumberingRecord> begun = first.claim();
        boolean anyOpen = recorded.stream()
                .flatMap(each -> each.claim().stream())
                .anyMatch(claim -> claim.state() == NumberingRecord.State.OPEN);
        List<Seen> missing =
                recorded.stream().filter(each -> each.claim().isEmpty()).toList();
        boolean isLater = anyOpen
                || history.token().isPresent()
                || (begun.isEmpty()
                        && recorded.stream().anyMatch(each -> each.claim().isPresent()));
        if (isLater && !missing.isEmpty()) {
            throw new IdConfigurationException("A server has lost its counters, or another has taken its place: "
                    + where(missing.get(0)) + " has no claim, another has. " + repair());
        }
        if (!anyOpen) {
            requireAll("claims a table of counters for the first time");
        }
        if (begun.isEmpty()) {
            requireAllOrNoneUsed();
            changes.add(Change.claim(first, UUID.randomUUID().toString()));
            return;
        }
        missing.forEach(each -> changes.add(Change.claim(each, begun.get().token())));
        if (missing.isEmpty()) {
            recorded.stream()
                    .filter(each -> each.claim().orElseThrow().state() == NumberingRecord.State.NEW)
                    .sorted(Comparator.comparingLong(
                                    (Seen each) -> each.numbering().offset())
                            .reversed())
                    .forEach(each -> changes.add(Change.open(each)));
        }
    }

    /**
     * Whether a server must be asked again before it is judged, since another that was asked later knows of something
     * that it lacked: ids, or a claim.
     */
    static boolean isDoubtful(Seen each, List<Seen> answers) {
        return isWitnessedAbove(each, answers)
                || (each.claim().isEmpty()
                        && answers.stream().anyMatch(other -> other.claim().isPresent()));
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

    private void requireAll(String why) {
        if (!refusals.isEmpty()) {
            throw refusals.values().iterator().next();
        }
        if (seen.size() < labels.size()) {
            List<String> missing = new ArrayList<>(labels);
            seen.values().forEach(each -> missing.remove(each.label()));
            throw new IdUnavailableException(
                    "All servers must answer a client that " + why + ": " + counter + ", no answer from " + missing);
        }
    }

    /**
     * One at a time: the first marks the others, and the mark of a server is taken away before its counter is created.
     * If that breaks off, the counter counts as lost.
     */
    private void create(Seen each) {
        if (!each.isRecorded()) {
            if (each.last().isEmpty() && !history.hasGoneBack(each.place())) {
                changes.add(Change.create(each, first(), 0, Set.of()));
            }
            return;
        }
        List<Seen> markers = others(each).filter(other -> marks(other, each)).toList();
        if (each.counter().isPresent()) {
            markers.forEach(
                    other -> changes.add(Change.witness(other, each.numbering().offset(), each)));
            return;
        }
        boolean isKnown = others(each).anyMatch(other -> other.counter().isPresent());
        boolean isLost = (isKnown && markers.isEmpty()) || history.hasGoneBack(each.place());
        boolean isCreating = changes.stream().anyMatch(change -> change.kind() == Change.Kind.CREATE);
        if (isLost || isCreating) {
            return;
        }
        requireOffsets();
        markers.forEach(
                other -> changes.add(Change.witness(other, each.numbering().offset(), each)));
        changes.add(Change.create(each, first(), lastOffset(), absentFrom(each)));
    }

    /** The ids of a new counter lie above it. */
    private long first() {
        return Math.max(history.highest(), minimum.raiseAbove());
    }

    private static boolean marks(Seen other, Seen each) {
        Witness witness = other.witnesses().get(each.numbering().offset());
        return witness != null && witness.isNotCreated();
    }

    /** The offsets of all other servers that are not seen to have the counter. */
    private Set<Long> absentFrom(Seen created) {
        Set<Long> offsets = new TreeSet<>();
        for (long offset = 1; offset <= lastOffset(); offset++) {
            offsets.add(offset);
        }
        offsets.remove(created.numbering().offset());
        others(created)
                .filter(other -> other.counter().isPresent())
                .forEach(other -> offsets.remove(other.numbering().offset()));
        return offsets;
    }

    /** A server whose offset nobody knows can't be marked. */
    private void requireOffsets() {
        boolean byPlace = seen.values().stream()
                .allMatch(each -> each.numbering().increment() == labels.size()
                        && each.numbering().offset() == each.place() + 1L);
        if (!byPlace) {
            requireAll("creates a counter on servers that number themselves");
        }
    }

    private long lastOffset() {
        long heard = seen.values().stream()
                .mapToLong(each -> each.numbering().offset())
                .max()
                .orElse(0);
        return Math.max(labels.size(), heard);
    }

    private Stream<Seen> recorded() {
        return seen.values().stream().filter(Seen::isRecorded);
    }

    private Stream<Seen> others(Seen each) {
        return recorded().filter(other -> other.place() != each.place());
    }

    private void settle(Seen each) {
        boolean isOther = each.isOther() && each.last().isPresent();
        if (isOther && (distance.failover() != DriftLimit.Failover.LOSSLESS || !hasLostIds(each))) {
            promoted(each);
            return;
        }
        if (hasLostIds(each)) {
            lost(each);
            return;
        }
        if (history.isTooFarAhead(each.place())) {
            tooFarAhead(each);
            return;
        }
        long lag = history.highest() - each.lastOrZero();
        if (lag > distance.max()) {
            behind(each);
            return;
        }
        settleFloor(each);
    }

    private void lost(Seen each) {
        if (seen.size() > 1) {
            raise(
                    each,
                    known(each),
                    2 * distance.max(),
                    "went back (truncated, restored from a backup, a deleted row?)");
            return;
        }
        refuse(
                each,
                "A counter went back and may give ids again: " + where(each)
                        + (each.last().isPresent() ? " id=" + each.lastOrZero() + " now" : " has no row any more")
                        + (known(each) > 0 ? ", but it gave id=" + known(each) : ", but it had one")
                        + ". No other server answers that could say how far it must be raised. Raise it above every id in use:"
                        + " " + counter.repairCommand() + " --above ID");
    }

    private boolean hasLostIds(Seen each) {
        return history.hasGoneBack(each.place())
                || each.last().isEmpty()
                || (each.isRecorded() && each.counter().isEmpty())
                || isWitnessedAbove(each, recorded().toList());
    }

    /**
     * Whether a server lies below what any answer has noted of it under the same generation, or has an older
     * generation.
     */
    static boolean isWitnessedAbove(Seen each, List<Seen> answers) {
        return answers.stream()
                .anyMatch(other -> isWitnessedAbove(
                        each, other.witnesses().get(each.numbering().offset())));
    }

    private static boolean isWitnessedAbove(Seen each, @Nullable Witness witness) {
        return witness != null
                && !witness.isNotCreated()
                && (each.generation() < witness.generation()
                        || (each.generation() == witness.generation() && CounterHistory.isBelow(each, witness.last())));
    }

    /** The highest id that the server is known to have given. */
    private long known(Seen each) {
        long witnessed = recorded()
                .map(other -> other.witnesses().get(each.numbering().offset()))
                .filter(Objects::nonNull)
                .mapToLong(Witness::last)
                .max()
                .orElse(0);
        return Math.max(Math.max(witnessed, history.heard(each.place())), each.lastOrZero());
    }

    private void promoted(Seen each) {
        String what =
                "is another server than before (a promoted replica, a restored copy?): identity=" + each.identity()
                        + " instead of " + each.counter().orElseThrow().identity();
        switch (distance.failover()) {
            case LOSSLESS ->
                changes.add(Change.raise(
                        each, 0, nextGeneration(each), what + "; " + distance.failoverSetting() + "=lossless"));
            case RAISE -> raise(each, known(each), distance.max(), what);
            case REFUSE ->
                refuse(
                        each,
                        "A server was replaced, and may lack the ids that were given last: " + where(each) + " " + what
                                + ", " + distance.failoverSetting() + "=refuse. " + repair());
        }
    }

    private void tooFarAhead(Seen each) {
        refuse(
                each,
                "A counter lies so far ahead of the others that it must be wrong: " + where(each) + " id="
                        + each.lastOrZero() + ", others id=" + history.highestOfOthers(each.place()) + ", allowed: "
                        + distance.most() + " (1000 x " + distance.maxSetting()
                        + "). If its ids are in use, raise the others above them: " + counter.repairCommand()
                        + " --above " + each.lastOrZero()
                        + "; if none is, give the sequence another table on all servers");
    }

    private void behind(Seen each) {
        if (history.isExplained(each.place()) || isBehindARaise(each)) {
            changes.add(Change.raise(
                    each,
                    history.highest(),
                    nextGeneration(each),
                    "was more than " + distance.max() + " behind the others"));
            return;
        }
        if (!distance.raise()) {
            refuse(
                    each,
                    "A server is too far behind the others: " + where(each) + " id=" + each.lastOrZero()
                            + ", where another is at id=" + history.highest() + ", allowed: " + distance.maxSetting()
                            + "="
                            + distance.max() + ". If it was only down, set " + distance.raiseSetting()
                            + "=raise. If it was truncated or restored from a backup: " + counter.repairCommand());
            return;
        }
        raise(each, known(each), 2 * distance.max(), "was more than " + distance.max() + " behind the others");
    }

    /**
     * Whether the others would be near but for a raise that is on record: of a server that was promoted, or had lost
     * ids. Only if others have noted how far this one had come: else it may have lost its ids.
     */
    private boolean isBehindARaise(Seen each) {
        boolean isNoted = others(each)
                .flatMap(other ->
                        Stream.ofNullable(other.witnesses().get(each.numbering().offset())))
                .anyMatch(note -> !note.isNotCreated() && note.generation() == each.generation());
        if (!isNoted) {
            return false;
        }
        long raised = others(each)
                .flatMap(other -> other.counter().stream())
                .mapToLong(CounterRecord::floor)
                .max()
                .orElse(0);
        return raised > each.lastOrZero() && history.highest() - raised <= distance.max();
    }

    private void raise(Seen each, long known, long more, String reason) {
        long highest = Math.max(Math.max(known, history.highest()), highestWitnessed());
        if (highest > Long.MAX_VALUE - more - each.numbering().increment()) {
            refuse(
                    each,
                    "A counter must be raised, and no ids are left above: " + where(each) + " id=" + each.lastOrZero()
                            + ", known id=" + highest + ". It " + reason
                            + ". Give the sequence another table on all servers");
            return;
        }
        changes.add(Change.raise(each, highest + more, nextGeneration(each) + LOST_GENERATIONS, reason));
    }

    private long nextGeneration(Seen each) {
        long witnessed = recorded()
                .map(other -> other.witnesses().get(each.numbering().offset()))
                .filter(Objects::nonNull)
                .mapToLong(Witness::generation)
                .max()
                .orElse(0);
        return 1 + Math.max(witnessed, Math.max(each.generation(), history.generation(each.place())));
    }

    private long highestWitnessed() {
        return seen.values().stream()
                .filter(each -> !history.isTooFarAhead(each.place()))
                .flatMap(each -> each.witnesses().values().stream())
                .mapToLong(Witness::last)
                .filter(last -> last - history.highest() <= distance.most())
                .max()
                .orElse(0);
    }

    private void settleFloor(Seen each) {
        Numbering numbering = each.numbering();
        long next = numbering.after(each.lastOrZero());
        if (next <= minimum.raiseAbove()) {
            changes.add(Change.raise(each, minimum.raiseAbove(), nextGeneration(each), ""));
            return;
        }
        long existing = minimum.existingOf(numbering);
        if (next <= existing) {
            refuse(
                    each,
                    "A counter would give ids that exist: " + where(each) + " id=" + each.lastOrZero()
                            + ", but there is an id " + existing
                            + " already. Set distributedid.existing_ids=raise, or raise it: " + counter.repairCommand()
                            + " --above " + numbering.atLeast(existing));
            return;
        }
        long passed = Math.max(minimum.raiseAbove(), existing);
        if (each.counter().filter(record -> record.floor() < passed).isPresent()) {
            changes.add(Change.floor(each, passed));
        }
    }

    private void refuse(Seen each, String message) {
        refusals.put(each.place(), new IdConfigurationException(message));
    }

    private String repair() {
        return "To end this, stop the clients and run: " + counter.repairCommand();
    }

    private String where(Seen each) {
        return counter + " on " + each.label();
    }
}
