package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Decides from one look at all servers that answer what must change before ids may be drawn. It does not talk to any
 * server. The caller makes each change only if its server is still as it was seen, and looks again, until no change is
 * left.
 *
 * <ol>
 *   <li><b>Claims.</b> The table of counters is claimed on all servers or on none, and all servers must answer: a
 *       client with another list would number a server that is not claimed otherwise, and give the same ids. The server
 *       with the smallest offset is claimed first, with a random token, then the others with the same token. Then all
 *       claims are opened, that of the first server last. If a claim is missing while the first server's is open, it
 *       was lost. If an open claim has an older generation than another, a move has left its server behind. See
 *       {@link Claims}.
 *   <li><b>Counters.</b> A counter that no record knows is new. It is created on the servers that answer. Each of them
 *       records for every other server that the counter is not created there yet. Only this entry permits to create it
 *       there later. Any other missing row was lost.
 *   <li><b>Another identity</b> means that a replica has taken the server's place: see {@link DriftLimit.Failover}.
 *   <li><b>Lost ids.</b> A server has lost ids if it lies below an id that it gave, would give ids at or below the
 *       floor of its record, or has an older generation than is known. It is raised to twice {@link DriftLimit#max}
 *       above every known id. If no other server answers, it is refused. So is one of which another server notes an id
 *       much too far ahead, see {@link Losses#farNote}.
 *   <li><b>Distance.</b> A server that lies much too far ahead is refused, before anything else is done with it, see
 *       {@link #explainDistances}. A server that lies too far behind is raised above the others if the records explain
 *       that; else it is raised or refused, see {@link DriftLimit#raise}.
 *   <li><b>Minimum.</b> A server below the {@link CounterMinimum} (a start, ids that exist) is raised or refused.
 * </ol>
 *
 * <p>The class is long because the steps share what was seen, and each relies on those before it.
 */
final class Plan {

    /** A server that lost ids may also have lost generations that clients know. Its new generation skips this many. */
    static final long LOST_GENERATIONS = 1_000_000;

    private final CounterKey counter;

    private final List<String> labels;

    private final Map<Integer, Seen> seen = new TreeMap<>();

    private final CounterHistory history;

    private final DriftLimit driftLimit;

    private final CounterMinimum minimum;

    private final Claims claims;

    private final List<Change> changes = new ArrayList<>();

    private final Map<Integer, IdConfigurationException> refusals = new TreeMap<>();

    /** The ids that servers which lie too far ahead were compared with, by place. */
    private final Map<Integer, Long> measures = new TreeMap<>();

    private boolean refusesDistance;

    private Plan(
            CounterKey counter,
            List<String> labels,
            List<Seen> answers,
            CounterHistory history,
            DriftLimit driftLimit,
            CounterMinimum minimum) {
        this.counter = counter;
        this.labels = labels;
        answers.forEach(answer -> seen.put(answer.place(), answer));
        this.history = history;
        this.driftLimit = driftLimit;
        this.minimum = minimum;
        this.claims = new Claims(counter, seen, history);
    }

    /**
     * @param labels of all servers, in order
     * @param answers of the servers that answered
     * @throws IdConfigurationException if no server may be used until one is repaired
     * @throws IdUnavailableException if all servers must answer, and one does not
     */
    static Plan of(
            CounterKey counter,
            List<String> labels,
            List<Seen> answers,
            CounterHistory history,
            DriftLimit driftLimit,
            CounterMinimum minimum) {
        Plan plan = new Plan(counter, labels, answers, history, driftLimit, minimum);
        plan.decide();
        return plan;
    }

    /** The next changes, in order; empty if nothing is left to change. */
    List<Change> changes() {
        return changes;
    }

    /** Why a server must not be used, by its place. */
    Map<Integer, IdConfigurationException> refusals() {
        return refusals;
    }

    /** Whether a server must not be used because it lies too far from the others. */
    boolean refusesDistance() {
        return refusesDistance;
    }

    private void decide() {
        for (Seen each : List.copyOf(seen.values())) {
            Optional<String> broken =
                    claims.broken(each).or(() -> retired(each)).or(() -> brokenRemainder(each));
            if (broken.isPresent()) {
                refuse(each, broken.get());
                seen.remove(each.place());
            }
        }
        claims.requireOneToken();
        changes.addAll(claims.changes(this::requireAll));
        if (!changes.isEmpty()) {
            return;
        }
        explainDistances();
        seen.values().forEach(this::create);
        if (changes.isEmpty()) {
            seen.values().forEach(this::judge);
        }
    }

    /**
     * Finds out which servers may lie as far ahead as they do: those whose distance something explains, and those that
     * lie near such a server or near the lowest one. What a server that is away was known to have does not refuse one:
     * the others have gone on without it. Only if one of several servers answers alone, it is compared with its own
     * record. The last id of a server that lies too far ahead is neither remembered nor written: once the counter is
     * set right, nothing is left of it.
     */
    private void explainDistances() {
        long others = seen.values().stream()
                .filter(each -> each.lastOrZero() - explained(each) <= driftLimit.most())
                .mapToLong(Seen::lastOrZero)
                .max()
                .orElse(-1);
        for (Seen each : seen.values().stream()
                .sorted(Comparator.comparingLong(Seen::lastOrZero))
                .toList()) {
            long last = each.lastOrZero();
            long explained = explained(each);
            boolean isCompared = others >= 0 || (isAlone() && Losses.notedItself(each) > 0);
            long known = Math.max(explained, Math.max(others, history.highestOfOthers(each.place())));
            if (!isCompared || last - known <= driftLimit.most()) {
                history.explain(each.place(), last);
                others = Math.max(others, last);
            } else {
                history.refuse(each.place(), explained);
                measures.put(each.place(), known);
            }
        }
    }

    /** Whether one of several servers answers alone. */
    private boolean isAlone() {
        return seen.size() == 1 && labels.size() > 1;
    }

    /**
     * How far a server may have come, whatever the others say: to the floor of its record, which a raise writes; to the
     * minimum, since the others are raised to it too; and to ids that clients drew, so that they are in use. But no
     * other server follows one that leaves no room for ids above.
     */
    private long explained(Seen each) {
        long raised = Math.max(Losses.floor(each), minimum.raiseAbove());
        return seen.size() > 1 && each.lastOrZero() > DriftLimit.MOST
                ? raised
                : Math.max(raised, Math.max(Losses.notedItself(each), history.lastHere(each.place())));
    }

    private Optional<String> retired(Seen each) {
        return each.counter()
                .filter(CounterRecord::isRetired)
                .map(record -> "The counter was retired, its sequence takes its ids from another place now: "
                        + where(each) + ". Take over the settings of the applications that were started last");
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

    /**
     * Whether to look at a server again before it is judged: another server, which was asked later, knows of ids or of
     * a claim that this one lacked.
     */
    static boolean isDoubtful(Seen each, List<Seen> answers) {
        return Losses.isWitnessedAbove(each, answers)
                || (each.claim().isEmpty()
                        && answers.stream().anyMatch(other -> other.claim().isPresent()));
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
     * Creates the counter on one server per look. The first server marks the others as not created. On each of the
     * others, the mark is removed before the counter is created. If the process stops between these two steps, the
     * counter counts as lost.
     */
    private void create(Seen each) {
        if (history.isTooFarAhead(each.place())) {
            // It is not used, so its mark stays: what replaces the mark would say how far it has come.
            return;
        }
        List<Seen> markers =
                others(each).filter(other -> Losses.marks(other, each)).toList();
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
        changes.add(Change.create(each, startAbove(), lastOffset(), absentFrom(each)));
    }

    /** A new counter starts above this id. */
    private long startAbove() {
        return Math.max(history.highest(), minimum.raiseAbove());
    }

    /** The offsets of the other servers on which the counter was not seen. */
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

    /** Only a server whose offset is known can be marked. */
    private void requireOffsets() {
        boolean byPlace = seen.values().stream()
                .allMatch(each -> each.numbering().increment() == labels.size()
                        && each.numbering().offset() == each.place() + 1L);
        if (!byPlace) {
            requireAll("creates a counter on servers that number themselves");
        }
    }

    private long lastOffset() {
        long largest = seen.values().stream()
                .mapToLong(each -> each.numbering().offset())
                .max()
                .orElse(0);
        return Math.max(labels.size(), largest);
    }

    private Stream<Seen> others(Seen each) {
        return seen.values().stream().filter(other -> other.place() != each.place());
    }

    private void judge(Seen each) {
        if (history.isTooFarAhead(each.place())) {
            tooFarAhead(each);
            return;
        }
        boolean isOther = each.isOther() && each.last().isPresent();
        if (isOther && (driftLimit.failover() != DriftLimit.Failover.LOSSLESS || !hasLostIds(each))) {
            replaced(each);
            return;
        }
        if (hasLostIds(each)) {
            lost(each);
            return;
        }
        long lag = history.highest() - each.lastOrZero();
        if (lag > driftLimit.max()) {
            behind(each);
            return;
        }
        applyMinimum(each);
    }

    private void lost(Seen each) {
        if (seen.size() > 1) {
            raise(
                    each,
                    highestKnown(each),
                    2 * driftLimit.max(),
                    "went back (truncated, restored from a backup, a deleted row?)");
            return;
        }
        refuse(
                each,
                "A counter went back and may give ids again: " + where(each)
                        + (each.last().isPresent() ? " id=" + each.lastOrZero() + " now" : " has no row any more")
                        + known(each)
                        + ". No other server answers that could say how far it must be raised. Raise it above every id"
                        + " in use: " + counter.repairCommand() + " --above ID");
    }

    /** What the server lacks, for a message. */
    private String known(Seen each) {
        long given = highestKnown(each);
        long floor = Losses.floor(each);
        if (floor > given) {
            return ", but its record has floor=" + floor + ": ids up to it may be in use";
        }
        return given > 0 ? ", but it gave id=" + given : ", but it had one";
    }

    private boolean hasLostIds(Seen each) {
        return history.hasGoneBack(each.place()) || Losses.hasLost(each, List.copyOf(seen.values()));
    }

    /** The highest id that the server is known to have given. */
    private long highestKnown(Seen each) {
        long noted = Losses.highestNoted(each, seen.values().stream());
        return Math.max(Math.max(noted, history.highest(each.place())), each.lastOrZero());
    }

    private void replaced(Seen each) {
        String what =
                "is another server than before (a promoted replica, a restored copy?): identity=" + each.identity()
                        + " instead of " + each.counter().orElseThrow().identity();
        switch (driftLimit.failover()) {
            case LOSSLESS ->
                changes.add(Change.accept(each, nextGeneration(each), what + "; distributedid.failover=lossless"));
            case RAISE -> raise(each, highestKnown(each), driftLimit.max(), what);
            case REFUSE ->
                refuse(
                        each,
                        "A server was replaced, and may lack the ids that were given last: " + where(each) + " " + what
                                + ", distributedid.failover=refuse. " + repair());
        }
    }

    private void tooFarAhead(Seen each) {
        refusesDistance = true;
        long others = history.highestOfOthers(each.place());
        long measure = measures.getOrDefault(each.place(), others);
        boolean isOwn = measure > others;
        refuse(
                each,
                "A counter lies so far ahead of " + (isOwn ? "its own record" : "the others")
                        + " that it must be wrong: " + where(each) + " id=" + each.lastOrZero() + ", "
                        + (isOwn ? "record" : "others") + " id=" + measure + ", allowed: " + driftLimit.most()
                        + " (1000 x distributedid.max_distance). If its ids are in use, raise the others above them: "
                        + counter.repairCommand()
                        + " --above " + each.lastOrZero()
                        + "; if none is, give the sequence another table on all servers");
    }

    private void behind(Seen each) {
        String reason = "was more than " + driftLimit.max() + " behind the others";
        boolean isNoted = isNoted(each);
        if (history.isExplained(each.place()) || (isNoted && isBehindARaise(each))) {
            changes.add(recovery(each, history.highest(), nextGeneration(each), reason));
        } else if (driftLimit.raise() || (isNoted && haveGoneOn(each))) {
            raise(each, highestKnown(each), 2 * driftLimit.max(), reason);
        } else {
            refusesDistance = true;
            refuse(
                    each,
                    "A server is too far behind the others: " + where(each) + " id=" + each.lastOrZero()
                            + ", where another is at id=" + history.highest() + ", allowed: distributedid.max_distance="
                            + driftLimit.max() + ". If it was only down, set " + driftLimit.raiseSetting()
                            + "=raise. If it was truncated or restored from a backup: " + counter.repairCommand());
        }
    }

    /**
     * Whether another server has a witness of this one, which has not lost any ids then. Without it, it may have lost
     * its ids. Ids that were handed back since have a newer generation than the witness.
     */
    private boolean isNoted(Seen each) {
        return others(each)
                .flatMap(other ->
                        Stream.ofNullable(other.witnesses().get(each.numbering().offset())))
                .anyMatch(note -> !note.isNotCreated() && note.generation() <= each.generation());
    }

    /** Whether a recorded raise of the others (after a failover or lost ids) explains the distance. */
    private boolean isBehindARaise(Seen each) {
        long raised = others(each).mapToLong(Losses::floor).max().orElse(0);
        return raised > each.lastOrZero() && history.highest() - raised <= driftLimit.max();
    }

    /**
     * Whether the others have gone on while this one was away: their records say that clients drew ids so far ahead, or
     * that the highest ids were drawn.
     */
    private boolean haveGoneOn(Seen each) {
        long noted = others(each)
                .filter(other -> !history.isTooFarAhead(other.place()))
                .mapToLong(Losses::notedItself)
                .max()
                .orElse(0);
        return noted - each.lastOrZero() > driftLimit.max() || history.highest() - noted <= driftLimit.max();
    }

    private void raise(Seen each, long known, long more, String reason) {
        Optional<IdConfigurationException> farNote = seen.values().stream()
                .flatMap(other ->
                        Losses.farNote(counter, other, each.numbering().offset(), reached(), driftLimit).stream())
                .findFirst();
        if (farNote.isPresent()) {
            refusals.put(each.place(), farNote.get());
            return;
        }
        long highest = Math.max(Math.max(known, Losses.floor(each)), Math.max(history.highest(), highestWitnessed()));
        if (highest > each.highestRaise() - more) {
            refuse(
                    each,
                    "A counter must be raised, and no ids are left above: " + where(each) + " id=" + each.lastOrZero()
                            + ", known id=" + highest + ". It " + reason
                            + ". Give the sequence another table on all servers");
            return;
        }
        changes.add(recovery(each, highest + more, nextGeneration(each) + LOST_GENERATIONS, reason));
    }

    /** The highest id that any counter may have reached, whatever the notes of other servers say. */
    private long reached() {
        return seen.values().stream().mapToLong(this::explained).reduce(history.highest(), Math::max);
    }

    /** With notes of the others: if one of them goes back later, this server can tell, and others lie behind it. */
    private Change recovery(Seen each, long above, long generation, String reason) {
        Set<Long> marks = new TreeSet<>();
        others(each)
                .flatMap(other -> other.witnesses().entrySet().stream())
                .filter(entry -> entry.getValue().isNotCreated())
                .forEach(entry -> marks.add(entry.getKey()));
        return Change.recover(each, above, generation, lastOffset(), marks, notes(each), reason);
    }

    private long nextGeneration(Seen each) {
        long witnessed = seen.values().stream()
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
                .filter(last -> last - history.highest() <= driftLimit.most())
                .max()
                .orElse(0);
    }

    private void applyMinimum(Seen each) {
        Numbering numbering = each.numbering();
        long next = numbering.after(each.lastOrZero());
        if (next <= minimum.raiseAbove()) {
            if (minimum.raiseAbove() > each.highestRaise()) {
                refuse(
                        each,
                        "A counter can't be raised so far: " + where(each) + " above id=" + minimum.raiseAbove()
                                + ", allowed: up to " + each.highestRaise()
                                + ". Give the column id a wider type, or the sequence another table");
                return;
            }
            changes.add(Change.raise(each, minimum.raiseAbove(), nextGeneration(each), notes(each)));
            return;
        }
        long existing = minimum.existingOf(numbering);
        if (next <= existing) {
            refuse(
                    each,
                    "A counter would give ids that exist: " + where(each) + " id=" + each.lastOrZero()
                            + ", but there is an id " + existing
                            + " already. Set distributedid.existing_ids=raise, or raise it: distributedid raise "
                            + counter.sequence() + " --above " + existing
                            + ". If it was lost or set back, ids beyond may be in memory: " + counter.repairCommand()
                            + " --above " + existing);
            return;
        }
        long passed = Math.max(minimum.raiseAbove(), existing);
        if (each.counter().filter(record -> record.floor() < passed).isPresent()) {
            changes.add(Change.floor(each, passed));
        }
    }

    /**
     * How far the other servers have come, without those that lie too far ahead: once they are set right, they would
     * seem to have lost ids. With the notes, a process that sees this server raised, and another one not yet, knows
     * that the other one has lost nothing, see {@link #isBehindARaise}.
     */
    private Map<Long, Witness> notes(Seen each) {
        Map<Long, Witness> notes = new TreeMap<>();
        others(each)
                .filter(other -> other.counter().isPresent() && other.last().isPresent())
                .filter(other -> !history.isTooFarAhead(other.place()))
                .forEach(other ->
                        notes.put(other.numbering().offset(), new Witness(other.generation(), other.lastOrZero())));
        return notes;
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
