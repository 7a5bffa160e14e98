package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Brings the servers of a counter into line when the operator says so: one that lost its counter or its record, that was replaced by an
 * empty one, whose identity changed, or that has another numbering than before. All servers must answer. It is safe to repeat after
 * a failure, and while clients run:
 *
 * <ol>
 *   <li>all servers are looked at; nothing is changed unless each can be brought into line;
 *   <li>all are fenced: no client draws ids any more;
 *   <li>the last ids are read, which can't grow any more;
 *   <li>if ids may be lost, every server is raised by twice {@link Distance#max} above all that is known, and above the id that the
 *       operator knows to be the largest in use;
 *   <li>all are opened, under new generations.
 * </ol>
 */
final class Repair<C extends Counter> {

    private final List<CounterServer<C>> servers;

    private final C counter;

    private final long above;

    private final Distance distance;

    Repair(List<CounterServer<C>> servers, C counter, long above, Distance distance) {
        this.servers = servers;
        this.counter = counter;
        this.above = above;
        this.distance = distance;
    }

    /** Returns the last id of each server, by its label. */
    Map<String, Long> run() throws SQLException, InterruptedException {
        List<Seen> before = look();
        String token = inspect(before);
        boolean mayBeLost = mayBeLost(before);
        if (mayBeLost && above == 0 && servers.size() == 1) {
            throw new IdConfigurationException(
                    "No other server knows how far this one must be raised: " + counter + " on "
                            + before.get(0).label() + " id=" + before.get(0).lastOrZero()
                            + ". Say the largest id in use: distributedid repair --above <id>");
        }
        for (Seen each : before) {
            fence(each, token);
        }
        List<Seen> fenced = look();
        long target = Math.max(above, mayBeLost ? Math.addExact(highest(fenced), 2 * distance.max()) : 0);
        long generation = 1 + highestGeneration(fenced);
        List<Long> offsets =
                fenced.stream().map(each -> each.numbering().offset()).toList();
        for (Seen each : fenced) {
            raise(each, target, generation, offsets);
        }
        Map<String, Long> last = new LinkedHashMap<>();
        for (Seen each : look()) {
            open(each);
            last.put(each.label(), each.lastOrZero());
        }
        return last;
    }

    private List<Seen> look() throws SQLException, InterruptedException {
        List<Seen> seen = new ArrayList<>();
        for (CounterServer<C> server : servers) {
            seen.add(server.look(counter));
        }
        return seen;
    }

    /** Returns the token of the id space. */
    private String inspect(List<Seen> seen) {
        Set<String> tokens = seen.stream()
                .flatMap(each -> each.claim().stream())
                .map(Claim::token)
                .collect(Collectors.toCollection(TreeSet::new));
        if (tokens.size() > 1) {
            throw new IdConfigurationException("The servers must belong to one id space: " + counter + " tokens="
                    + tokens + ". List the servers that belong together");
        }
        for (Seen each : seen) {
            Optional<Claim> claim = each.claim();
            boolean isGone =
                    claim.filter(found -> found.state() == Claim.State.RETIRED).isPresent()
                            || each.counter().filter(CounterRecord::isRetired).isPresent();
            if (isGone) {
                throw new IdConfigurationException("The counter was retired: " + counter + " on " + each.label()
                        + ". Its ids come from another place now");
            }
            boolean isOther = claim.filter(found -> found.state() != Claim.State.NEW
                            && !found.numbering().equals(each.numbering()))
                    .isPresent();
            if (isOther && !counter.isAloneInItsTable()) {
                throw new IdConfigurationException("A table with several counters gets another numbering by a move: "
                        + counter + " on " + each.label() + " is claimed with "
                        + claim.get().numbering() + ", not " + each.numbering()
                        + ". Run: distributedid move; or list the servers in their old order");
            }
        }
        requireNobodyTooFarAhead(seen);
        return tokens.stream().findFirst().orElseGet(() -> UUID.randomUUID().toString());
    }

    private void requireNobodyTooFarAhead(List<Seen> seen) {
        for (Seen each : seen) {
            long others = seen.stream()
                    .filter(other -> other != each)
                    .mapToLong(Seen::lastOrZero)
                    .max()
                    .orElse(each.lastOrZero());
            if (each.lastOrZero() - others > distance.most() && above < each.lastOrZero() - distance.max()) {
                throw new IdConfigurationException("A counter lies so far ahead of the others that it may be wrong: "
                        + counter + " on " + each.label() + " id=" + each.lastOrZero() + ", others id=" + others
                        + ". If its ids are in use: distributedid repair --above " + each.lastOrZero()
                        + "; if none is, give the sequence another table on all servers");
            }
        }
    }

    private static boolean mayBeLost(List<Seen> seen) {
        boolean isUsed = seen.stream().anyMatch(each -> each.claim().isPresent() || each.lastOrZero() > 0);
        return isUsed && seen.stream().anyMatch(each -> mayBeLost(each, seen));
    }

    private static boolean mayBeLost(Seen each, List<Seen> seen) {
        boolean isClaimed = each.claim()
                .filter(claim ->
                        claim.state() == Claim.State.OPEN && claim.numbering().equals(each.numbering()))
                .isPresent();
        boolean isSame = each.counter()
                .filter(record -> record.identity().isEmpty()
                        || each.identity().isEmpty()
                        || record.identity().equals(each.identity()))
                .isPresent();
        boolean isWitnessedAbove = seen.stream()
                .map(other -> other.witnesses().get(each.numbering().offset()))
                .anyMatch(witness -> witness != null && Sides.isBelow(each, witness.last()));
        boolean isForeign = each.lastOrZero() > 0 && !each.numbering().holds(each.lastOrZero());
        return !isClaimed || !isSame || each.last().isEmpty() || isWitnessedAbove || isForeign;
    }

    private void fence(Seen each, String token) throws SQLException, InterruptedException {
        servers.get(each.place()).operate(counter, (session, record, key) -> {
            record.lock(record.claimKey(), true);
            Claim old = record.read(key).claim().orElse(new Claim(0, each.numbering(), Claim.State.NEW, token));
            record.putClaim(old.next(old.numbering(), Claim.State.MOVING));
            record.fence();
            return old;
        });
    }

    private static long highest(List<Seen> seen) {
        return seen.stream()
                .mapToLong(each -> Math.max(
                        each.lastOrZero(),
                        each.witnesses().values().stream()
                                .mapToLong(Witness::last)
                                .max()
                                .orElse(0)))
                .max()
                .orElse(0);
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

    private void raise(Seen each, long target, long generation, List<Long> offsets)
            throws SQLException, InterruptedException {
        servers.get(each.place()).operate(counter, (session, record, key) -> {
            record.lock(record.claimKey(), true);
            if (target > each.lastOrZero() || each.last().isEmpty()) {
                session.raise(counter, target);
            }
            long floor = Math.max(
                    Math.max(target, each.lastOrZero()),
                    each.counter().map(CounterRecord::floor).orElse(0L));
            record.putCounter(key, new CounterRecord(generation, floor, each.identity()));
            for (long offset : offsets) {
                record.putWitness(key, offset, new Witness(generation, 0));
            }
            return each;
        });
    }

    private void open(Seen each) throws SQLException, InterruptedException {
        servers.get(each.place()).operate(counter, (session, record, key) -> {
            record.lock(record.claimKey(), true);
            Claim old = record.read(key).claim().orElseThrow();
            record.putClaim(old.next(each.numbering(), Claim.State.OPEN));
            return old;
        });
    }

    /** Returns the last id of each server, by its label. */
    static <C extends Counter> Map<String, Long> retire(List<CounterServer<C>> servers, C counter)
            throws SQLException, InterruptedException {
        Map<String, Long> last = new LinkedHashMap<>();
        for (CounterServer<C> server : servers) {
            server.look(counter);
        }
        for (CounterServer<C> server : servers) {
            server.operate(counter, (session, record, key) -> {
                record.lock(key, true);
                CounterRecord old = record.read(key).counter().orElse(new CounterRecord(0, 0, session.identity()));
                record.putCounter(key, new CounterRecord(old.generation() + 1, old.floor(), old.identity(), true));
                return old;
            });
            last.put(server.label(), server.look(counter).lastOrZero());
        }
        return last;
    }
}
