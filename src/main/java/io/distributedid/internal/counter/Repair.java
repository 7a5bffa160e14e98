package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * Brings the servers of a counter into line on an operator's order: after a server lost its counter or its record, was
 * replaced by an empty one, or got another identity or numbering. All servers must answer. Safe to repeat after a
 * failure, and while clients run:
 *
 * <ol>
 *   <li>look at all servers; nothing is changed unless each can be brought into line. If a counter or a note lies so
 *       far ahead that it may be wrong, or no server has the counter, the operator must name the largest id in use;
 *   <li>fence all: clients can draw no more ids. Each claim must still be as it was seen, in this step and in those
 *       that follow, see {@link ClaimLock};
 *   <li>read the last ids, which can't grow any more;
 *   <li>if ids may be lost, raise every server by twice {@link DriftLimit#max} above every known id, and above the
 *       largest id in use that the operator names. They are lost too if that one lies above all that the servers know.
 *       The margin is for ids that processes have reserved and nobody has stored;
 *   <li>open all, under new generations.
 * </ol>
 */
final class Repair<C extends CounterKey> {

    private final List<CounterServer<C>> servers;

    private final C counter;

    private final long above;

    private final DriftLimit driftLimit;

    private final LongConsumer requireRoom;

    private final LongConsumer confirm;

    private final Platform platform;

    /**
     * @param requireRoom throws if a counter can't be raised above an id
     * @param confirm throws if it shall not
     */
    Repair(
            List<CounterServer<C>> servers,
            C counter,
            long above,
            DriftLimit driftLimit,
            LongConsumer requireRoom,
            LongConsumer confirm,
            Platform platform) {
        this.platform = platform;
        this.requireRoom = requireRoom;
        this.confirm = confirm;
        this.servers = servers;
        this.counter = counter;
        this.above = above;
        this.driftLimit = driftLimit;
    }

    /** Returns the last id of each server, by its label. */
    Map<String, Long> run() throws SQLException, InterruptedException {
        List<Seen> before = look();
        String token = inspect(before);
        requireKnown(before);
        boolean mayBeLost = mayBeLost(before) || isInUseAbove(before);
        if (mayBeLost && above == 0 && servers.size() == 1) {
            throw new IdConfigurationException(
                    "No other server knows how far this one must be raised: " + counter + " on "
                            + before.get(0).label() + " " + Losses.found(before.get(0))
                            + ". Say the largest id in use: " + counter.repairCommand() + " --above ID");
        }
        // Before any change: a fenced counter that can't be raised would never give ids again.
        requireRoom.accept(target(before, mayBeLost));
        for (Seen each : before) {
            requireRoom(each, target(before, mayBeLost));
        }
        confirm.accept(target(before, mayBeLost));
        long epoch = 1
                + before.stream()
                        .flatMap(each -> each.claim().stream())
                        .mapToLong(NumberingRecord::generation)
                        .max()
                        .orElse(0);
        List<NumberingRecord> moving = new ArrayList<>();
        for (Seen each : before) {
            Numbering kept = each.claim().map(NumberingRecord::numbering).orElse(each.numbering());
            moving.add(new NumberingRecord(epoch, kept, NumberingRecord.State.MOVING, token));
            fence(each, moving.get(each.place()));
        }
        List<Seen> fenced = look();
        long target = target(fenced, mayBeLost);
        long generation = highestGeneration(fenced) + (mayBeLost ? Plan.LOST_GENERATIONS : 1);
        for (Seen each : fenced) {
            raise(each, moving.get(each.place()), target, generation, notes(each, fenced, generation));
        }
        Map<String, Long> last = new LinkedHashMap<>();
        for (Seen each : look()) {
            open(each, moving.get(each.place()));
            last.put(each.label(), each.lastOrZero());
        }
        // Not earlier: other counters of the table were fenced, too.
        requireNotRetired(fenced);
        return last;
    }

    private void requireRoom(Seen each, long target) {
        if (target > each.highestRaise()) {
            throw new IdsExhaustedException("A repair can't raise a counter so far: " + counter + " on " + each.label()
                    + " above id=" + target + ", allowed: up to " + each.highestRaise()
                    + ". Nothing was changed. Give the column id a wider type, and repeat the repair");
        }
    }

    /** Empty servers look like those of a new sequence. But an operator repairs a sequence that gave ids. */
    private void requireKnown(List<Seen> seen) {
        if (above == 0 && seen.stream().noneMatch(Repair::hasCounter)) {
            throw new IdConfigurationException("No server has the counter, so nobody knows which ids were given: "
                    + counter + ". Say the largest id in use: " + counter.repairCommand()
                    + " --above ID; if the sequence is new, start the application");
        }
    }

    /** Whether a server knows anything of the counter. */
    private static boolean hasCounter(Seen each) {
        return each.counter().isPresent()
                || each.lastOrZero() > 0
                || !each.witnesses().isEmpty();
    }

    private long target(List<Seen> seen, boolean mayBeLost) {
        if (!mayBeLost) {
            return above;
        }
        long more = 2 * driftLimit.max();
        long known = Math.max(above, highest(seen));
        return known > Long.MAX_VALUE - more ? Long.MAX_VALUE : known + more;
    }

    private List<Seen> look() throws SQLException, InterruptedException {
        List<Seen> seen = new ArrayList<>();
        for (CounterServer<C> server : servers) {
            seen.add(server.look(counter));
        }
        return seen;
    }

    private void requireNotRetired(List<Seen> seen) {
        for (Seen each : seen) {
            if (each.counter().filter(CounterRecord::isRetired).isPresent()) {
                throw retired(each);
            }
        }
    }

    private IdConfigurationException retired(Seen each) {
        return new IdConfigurationException("The counter was retired: " + counter + " on " + each.label()
                + ". Its sequence takes its ids from another place now");
    }

    /** Whether to end a repair that was cut off: all counters of the table wait for that. */
    private static boolean isCutOff(List<Seen> seen) {
        return seen.stream()
                .flatMap(each -> each.claim().stream())
                .anyMatch(claim -> claim.state() == NumberingRecord.State.MOVING);
    }

    /** Refuses what a repair can't mend. Returns the token of the id space. */
    private String inspect(List<Seen> seen) {
        Set<String> tokens = seen.stream()
                .flatMap(each -> each.claim().stream())
                .map(NumberingRecord::token)
                .collect(Collectors.toCollection(TreeSet::new));
        if (tokens.size() > 1) {
            throw new IdConfigurationException("The servers must belong to one id space: " + counter + " tokens="
                    + tokens + ". List the servers that belong together");
        }
        if (!isCutOff(seen)) {
            requireNotRetired(seen);
        }
        for (Seen each : seen) {
            Optional<NumberingRecord> claim = each.claim();
            if (claim.filter(found -> found.state() == NumberingRecord.State.RETIRED)
                    .isPresent()) {
                throw retired(each);
            }
            boolean isOther = claim.filter(found -> found.state() != NumberingRecord.State.NEW
                            && !found.numbering().equals(each.numbering()))
                    .isPresent();
            if (isOther && !counter.isAloneInItsTable()) {
                throw new IdConfigurationException("Only a move gives a table with several counters another numbering: "
                        + counter + " on " + each.label() + " is claimed with "
                        + claim.get().numbering() + ", not " + each.numbering()
                        + ". Run: distributedid move; or list the servers in their old order");
            }
        }
        requireNoneTooFarAhead(seen);
        requireNoNoteTooFarAhead(seen);
        requireAllOfTheOldList(seen);
        return tokens.stream().findFirst().orElseGet(() -> platform.token());
    }

    /** Clients with a longer list would still draw from servers that are no longer listed, and so not fenced. */
    private void requireAllOfTheOldList(List<Seen> seen) {
        Optional<Seen> fewer = seen.stream()
                .filter(each -> each.claim()
                        .filter(claim ->
                                claim.numbering().increment() > each.numbering().increment())
                        .isPresent())
                .findFirst();
        if (fewer.isPresent() && above == 0) {
            throw new IdConfigurationException("The numbers were divided between more servers: " + counter + " on "
                    + fewer.get().label() + " is claimed with "
                    + fewer.get().claim().orElseThrow().numbering() + ", not "
                    + fewer.get().numbering()
                    + ". Clients with the old list still draw from the others. List those too; or delete their"
                    + " counters, and say the largest id in use: " + counter.repairCommand() + " --above ID");
        }
    }

    private void requireNoneTooFarAhead(List<Seen> seen) {
        for (Seen each : seen) {
            long others = seen.stream()
                    .filter(other -> other.place() != each.place())
                    .mapToLong(Seen::lastOrZero)
                    .max()
                    .orElse(each.lastOrZero());
            if (each.lastOrZero() - others > driftLimit.most() && above < each.lastOrZero() - driftLimit.max()) {
                throw new IdConfigurationException("A counter lies so far ahead of the others that it may be wrong: "
                        + counter + " on " + each.label() + " id=" + each.lastOrZero() + ", others id=" + others
                        + ". If its ids are in use: " + counter.repairCommand() + " --above " + each.lastOrZero()
                        + "; if none is, give the sequence another table on all servers");
            }
        }
    }

    /** The operator must say whether its ids are in use, and so name an id that lies no lower than all counters. */
    private void requireNoNoteTooFarAhead(List<Seen> seen) {
        if (above < Math.max(1, Losses.highestOfCounters(seen))) {
            Losses.requireNoFarNote(counter, seen, driftLimit);
        }
    }

    /** A backup of all servers was restored, for example, or all tables were emptied: those look like new ones. */
    private boolean isInUseAbove(List<Seen> seen) {
        return above > highest(seen);
    }

    private static boolean isUsed(List<Seen> seen) {
        return seen.stream().anyMatch(each -> each.claim().isPresent() || hasCounter(each));
    }

    private static boolean mayBeLost(List<Seen> seen) {
        return isUsed(seen) && seen.stream().anyMatch(each -> mayBeLost(each, seen));
    }

    private static boolean mayBeLost(Seen each, List<Seen> seen) {
        boolean isClaimed = each.claim()
                .filter(claim -> claim.state() == NumberingRecord.State.OPEN
                        && claim.numbering().equals(each.numbering()))
                .isPresent();
        boolean isSame = each.counter().isPresent() && !each.isOther();
        boolean isForeign = each.lastOrZero() > 0 && !each.numbering().holds(each.lastOrZero());
        return !isClaimed || !isSame || each.last().isEmpty() || Losses.hasLost(each, seen) || isForeign;
    }

    /** Gives all claims one generation. A server with an older one would look as if a move had left it behind. */
    private void fence(Seen each, NumberingRecord moving) throws SQLException, InterruptedException {
        servers.get(each.place()).operate(counter, (stored, key) -> {
            RecordStore record = stored.record();
            requireClaim(record, each, each.claim());
            record.putClaim(moving);
            record.fence();
            return moving;
        });
    }

    private void requireClaim(RecordStore record, Seen each, Optional<NumberingRecord> known) throws SQLException {
        ClaimLock.require(record, known, "a repair", counter + " on " + each.label());
    }

    /** Without notes that lie too far ahead: the operator has named the largest id in use. */
    private long highest(List<Seen> seen) {
        long counters = Losses.highestOfCounters(seen);
        return seen.stream()
                .flatMap(each -> each.witnesses().values().stream())
                .filter(note -> !Losses.isFar(note, counters, driftLimit))
                .mapToLong(Witness::last)
                .reduce(counters, Math::max);
    }

    private static long highestGeneration(List<Seen> seen) {
        return seen.stream()
                .mapToLong(each -> Math.max(
                        each.generation(),
                        each.witnesses().values().stream()
                                .mapToLong(Witness::generation)
                                .max()
                                .orElse(0)))
                .max()
                .orElse(0);
    }

    /**
     * Of all servers, by offset, none has an id below its new floor. A note of a server that is not listed any more
     * stays, unless it lies too far ahead: the operator has named the largest id in use.
     */
    private Map<Long, Witness> notes(Seen each, List<Seen> all, long generation) {
        long counters = Losses.highestOfCounters(all);
        Map<Long, Witness> notes = new TreeMap<>();
        each.witnesses().forEach((offset, note) -> {
            if (Losses.isFar(note, counters, driftLimit)) {
                notes.put(offset, new Witness(note.generation(), 0));
            }
        });
        all.forEach(server -> notes.put(server.numbering().offset(), new Witness(generation, 0)));
        return notes;
    }

    private void raise(Seen each, NumberingRecord moving, long target, long generation, Map<Long, Witness> notes)
            throws SQLException, InterruptedException {
        servers.get(each.place()).operate(counter, (stored, key) -> {
            RecordStore record = stored.record();
            requireClaim(record, each, Optional.of(moving));
            boolean isRetired =
                    record.lockCounter(key).filter(CounterRecord::isRetired).isPresent();
            if (target > each.lastOrZero() || each.last().isEmpty()) {
                stored.raise(target);
            }
            long floor = Math.max(target, each.lastOrZero());
            record.putCounter(key, new CounterRecord(generation, floor, each.identity(), isRetired));
            for (Map.Entry<Long, Witness> note : notes.entrySet()) {
                record.putWitness(key, note.getKey(), note.getValue());
            }
            return each;
        });
    }

    private void open(Seen each, NumberingRecord moving) throws SQLException, InterruptedException {
        servers.get(each.place()).operate(counter, (stored, key) -> {
            RecordStore record = stored.record();
            requireClaim(record, each, Optional.of(moving));
            NumberingRecord open = moving.next(each.numbering(), NumberingRecord.State.OPEN);
            record.putClaim(open);
            return open;
        });
    }
}
