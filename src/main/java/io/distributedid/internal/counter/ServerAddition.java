package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Adds a server to those that divide the numbers of counters, while clients run. The increment must have room: then the
 * new server gets a remainder that no other server gives, and no server changes its numbering.
 *
 * <p>First it looks at every counter on every server. It changes nothing unless the old servers are in line, with one
 * open claim, and each counter is new on the new server: no claim, no id, and no old server has a note of a server with
 * this offset. Then, for each counter:
 *
 * <ol>
 *   <li>On the new server, in one transaction: raise the counter above every id that is known; write its record, its
 *       notes of all servers, and the claim. The claim has the token and the generation of the old ones, and the state
 *       "ready": no client draws from it.
 *   <li>On each old server, in one transaction under the lock of its claim: if the claim is still as it was seen, and
 *       no other server has the offset, write a note of the new server.
 *   <li>On the new server: open the claim. Then look at all servers once more.
 * </ol>
 *
 * <p>Clients with the old list do not know the new server. They draw as before: the generations of their claims and
 * counters stay, and their notes are of the servers that they know. Clients with the new list find all claims alike.
 * From the second step on, a new server that loses its counter is noticed like any other.
 *
 * <p>A note of the second step carries a random token of this addition, and so does the new server's own note. So of
 * two servers that are added with one offset at once, only one passes the second step. The addition can be repeated
 * after a failure, and goes on where it stopped. For one thread.
 *
 * @param <C> names a counter
 */
public final class ServerAddition<C extends CounterKey> implements AutoCloseable {

    /**
     * What is planned or was done of one counter on one server.
     *
     * @param counter for messages
     * @param server its label
     * @param before its last id
     * @param now its last id afterwards; empty if the counter is not in use yet
     */
    public record Row(String counter, String server, long before, OptionalLong now) {}

    /** A counter as it was seen; {@code target} is what the new server's counter must lie above. */
    private record Planned<C>(C counter, List<Seen> old, Seen added, long target, boolean isDone) {}

    private final List<CounterServer<C>> servers;

    private final List<String> labels;

    private final DriftLimit driftLimit;

    private final CounterStore<C> store;

    private List<Planned<C>> planned = List.of();

    private ServerAddition(List<CounterServer<C>> servers, DriftLimit driftLimit, CounterStore<C> store) {
        this.servers = servers;
        this.labels = servers.stream().map(CounterServer::label).toList();
        this.driftLimit = driftLimit;
        this.store = store;
    }

    /** Does not connect to any server. The last server of the settings is the new one. */
    public static <C extends CounterKey> ServerAddition<C> of(CounterStore<C> store, Settings settings) {
        return new ServerAddition<>(servers(store, settings), store.settings().driftLimit(settings), store);
    }

    private static <C extends CounterKey> List<CounterServer<C>> servers(CounterStore<C> store, Settings settings) {
        List<ConnectionAccess> accesses = store.settings().servers(settings);
        CounterStore.Connector<C> connector = store.connector(
                settings, accesses.stream().map(ConnectionAccess::label).toList(), false);
        List<CounterServer<C>> servers = new ArrayList<>();
        for (ConnectionAccess access : accesses) {
            servers.add(new CounterServer<>(
                    servers.size(), access, settings.get(store.settings().timeout()), connector));
        }
        return servers;
    }

    /**
     * The numberings of servers in their order, as their clients see them.
     *
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if one does not answer
     */
    public static <C extends CounterKey> List<Numbering> numberings(CounterStore<C> store, Settings settings) {
        try (ServerAddition<C> old = of(store, settings)) {
            return operate(() -> {
                List<Numbering> numberings = new ArrayList<>();
                for (CounterServer<C> server : old.servers) {
                    numberings.add(server.connect());
                }
                return numberings;
            });
        }
    }

    /**
     * Looks at counters on all servers, and plans. Changes nothing.
     *
     * @throws IdConfigurationException if the server can't be added
     * @throws IdUnavailableException if a server does not answer
     */
    public List<Row> look(List<C> counters) {
        planned = operate(() -> {
            for (CounterServer<C> server : servers) {
                // Each compares its address and numbering with those before.
                Numbering unused = server.connect();
            }
            List<Planned<C>> plans = new ArrayList<>();
            for (C counter : counters) {
                plans.add(plan(counter));
            }
            return plans;
        });
        return rows();
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Planned<C> each : planned) {
            String counter = each.counter.toString();
            boolean isUsed = isUsed(each.old);
            each.old.forEach(seen -> rows.add(new Row(
                    counter,
                    seen.label(),
                    seen.lastOrZero(),
                    isUsed ? OptionalLong.of(seen.lastOrZero()) : OptionalLong.empty())));
            rows.add(new Row(
                    counter,
                    each.added.label(),
                    each.added.lastOrZero(),
                    isUsed ? OptionalLong.of(lastNow(each)) : OptionalLong.empty()));
        }
        return rows;
    }

    private static long lastNow(Planned<?> each) {
        return each.isDone
                ? each.added.lastOrZero()
                : Math.max(each.added.lastOrZero(), firstLast(each.added.numbering(), each.target));
    }

    private static long firstLast(Numbering numbering, long target) {
        return target > 0 ? numbering.atLeast(target) : 0;
    }

    private static boolean isUsed(List<Seen> old) {
        return old.stream().anyMatch(each -> each.claim().isPresent() || each.lastOrZero() > 0);
    }

    private Planned<C> plan(C counter) throws SQLException, InterruptedException {
        List<Seen> old = seen(counter, servers.subList(0, servers.size() - 1));
        for (Seen each : old) {
            requireRecord(counter, each);
        }
        requireInLine(counter, old);
        Seen added = servers.get(servers.size() - 1).look(counter);
        requireRecord(counter, added);
        long target = old.stream().mapToLong(ServerAddition::highest).max().orElse(0);
        if (target > store.largest(counter) - 2 * added.numbering().increment()) {
            throw new IdsExhaustedException("No ids are left for another server: " + counter + " id=" + target
                    + ". Give the sequence another table");
        }
        if (!isUsed(old)) {
            requireEmpty(counter, added);
            return new Planned<>(counter, old, added, 0, true);
        }
        return new Planned<>(counter, old, added, target, isDone(counter, old, added));
    }

    /** Servers answer one after the other: one that is noted with a higher id by then has not lost any. */
    private List<Seen> seen(C counter, List<CounterServer<C>> asked) throws SQLException, InterruptedException {
        List<Seen> seen = new ArrayList<>();
        for (CounterServer<C> server : asked) {
            seen.add(server.look(counter));
        }
        for (int place = 0; place < seen.size(); place++) {
            if (Plan.isDoubtful(seen.get(place), seen)) {
                seen.set(place, seen.get(place).seenAgain(asked.get(place).look(counter)));
            }
        }
        return seen;
    }

    private static void requireRecord(CounterKey counter, Seen seen) {
        if (!seen.isRecorded()) {
            throw new IdConfigurationException("A server is added with the help of the record: " + where(counter, seen)
                    + " has no table " + RecordTable.NAME + " that this user can read. Create it, see: distributedid"
                    + " ddl; and GRANT SELECT, INSERT, UPDATE on it");
        }
    }

    /** Refuses what a client would refuse, and what it would change. A counter that nobody has used is in line. */
    private void requireInLine(C counter, List<Seen> seen) {
        Plan plan = Plan.of(
                counter,
                labels.subList(0, seen.size()),
                List.copyOf(seen),
                new CounterHistory(seen.size(), driftLimit),
                driftLimit,
                CounterMinimum.NONE);
        plan.refusals().values().stream().findFirst().ifPresent(refusal -> {
            throw refusal;
        });
        if (isUsed(seen) && !plan.changes().isEmpty()) {
            Change change = plan.changes().get(0);
            throw new IdConfigurationException("The servers must be in line before one is added: "
                    + where(counter, change.seen())
                    + (change.reason().isEmpty() ? " is not claimed and open" : " " + change.reason())
                    + ". Let a client take an id, or run: " + counter.repairCommand() + "; then repeat the command");
        }
    }

    private boolean isDone(C counter, List<Seen> old, Seen added) {
        NumberingRecord claim = old.get(0).claim().orElseThrow();
        Optional<NumberingRecord> own = added.claim();
        if (own.isEmpty()) {
            requireEmpty(counter, added);
            requireFreeOffset(counter, old, added);
            return false;
        }
        boolean isOurs =
                own.get().token().equals(claim.token()) && own.get().numbering().equals(added.numbering());
        NumberingRecord.State state = own.get().state();
        if (!isOurs || (state != NumberingRecord.State.READY && state != NumberingRecord.State.OPEN)) {
            throw notNew(
                    counter,
                    added,
                    "it is claimed with " + own.get().numbering() + " state="
                            + state.name().toLowerCase(Locale.ROOT) + " token="
                            + own.get().token());
        }
        if (state == NumberingRecord.State.READY) {
            return false;
        }
        List<Seen> all = new ArrayList<>(old);
        all.add(added);
        requireInLine(counter, all);
        return true;
    }

    private static void requireEmpty(CounterKey counter, Seen added) {
        if (added.claim().isPresent() || added.counter().isPresent() || added.lastOrZero() > 0) {
            throw notNew(counter, added, "it has id=" + added.lastOrZero());
        }
    }

    private static IdConfigurationException notNew(CounterKey counter, Seen added, String found) {
        return new IdConfigurationException("The new server must be new: " + where(counter, added) + ": " + found
                + ". Is it listed already, or a copy of another server? Drop the table and " + RecordTable.NAME
                + " there if nobody uses them, and create them anew");
    }

    private static void requireFreeOffset(CounterKey counter, List<Seen> old, Seen added) {
        for (Seen each : old) {
            Witness note = each.witnesses().get(added.numbering().offset());
            if (note != null && !note.isNotCreated()) {
                throw new IdConfigurationException(
                        "The remainder of the new server was given to another server before: "
                                + where(counter, added) + " has " + added.numbering() + ", and " + each.label()
                                + " knows of a server with this offset, which gave id=" + note.last()
                                + ". Give the new server another offset; if it replaces that server, write it into its"
                                + " place in the list, and run: " + counter.repairCommand());
            }
        }
    }

    private static long highest(Seen seen) {
        long noted = seen.witnesses().values().stream()
                .mapToLong(Witness::last)
                .max()
                .orElse(0);
        long floor = seen.counter().map(CounterRecord::floor).orElse(0L);
        return Math.max(Math.max(noted, floor), seen.lastOrZero() + seen.slack());
    }

    /**
     * Makes what {@link #look} has planned.
     *
     * @return what was done
     * @throws IdConfigurationException if a server has changed since the look; repeat the command
     * @throws IdUnavailableException if a server does not answer; repeat the command
     */
    public List<Row> add() {
        List<Row> rows = rows();
        operate(() -> {
            for (Planned<C> each : planned) {
                if (!each.isDone) {
                    add(each);
                }
            }
            return planned;
        });
        return rows;
    }

    private void add(Planned<C> each) throws SQLException, InterruptedException {
        C counter = each.counter;
        CounterServer<C> added = servers.get(servers.size() - 1);
        NumberingRecord claim = each.old.get(0).claim().orElseThrow();
        NumberingRecord ready = new NumberingRecord(
                claim.generation(), each.added.numbering(), NumberingRecord.State.READY, claim.token());
        String addition = added.operate(counter, (stored, key) -> fill(each, stored, key, ready));
        Witness note =
                new Witness(each.added.counter().map(CounterRecord::generation).orElse(1L), lastNow(each));
        for (Seen old : each.old) {
            boolean unused = servers.get(old.place()).operate(counter, (stored, key) -> {
                note(counter, old, stored.record(), key, ready.numbering(), note, addition);
                return true;
            });
        }
        NumberingRecord unused = added.operate(counter, (stored, key) -> {
            RecordTable record = stored.record();
            requireUnchanged(counter, each.added.label(), lockedClaim(record, key), ready);
            NumberingRecord open = new NumberingRecord(
                    ready.generation(), ready.numbering(), NumberingRecord.State.OPEN, ready.token());
            record.putClaim(open);
            return open;
        });
        requireInLine(counter, seen(counter, servers));
    }

    /** Returns the token of this addition. */
    private String fill(Planned<C> each, StoredCounter stored, String key, NumberingRecord ready) throws SQLException {
        RecordTable record = stored.record();
        NumberingRecord before = lockedClaim(record, key);
        requireUnchanged(
                each.counter, each.added.label(), before, each.added.claim().orElse(null));
        String known = record.witnessToken(key, ready.numbering().offset());
        String addition = known.isEmpty() ? UUID.randomUUID().toString() : known;
        stored.raise(each.target);
        long generation = each.added.counter().map(CounterRecord::generation).orElse(1L);
        long last = lastNow(each);
        record.putCounter(key, new CounterRecord(generation, last, stored.identity()));
        for (Seen old : each.old) {
            record.putWitness(key, old.numbering().offset(), new Witness(old.generation(), old.lastOrZero()));
        }
        record.putWitness(key, ready.numbering().offset(), new Witness(generation, last), addition);
        record.putClaim(ready);
        return addition;
    }

    private void note(
            C counter, Seen old, RecordTable record, String key, Numbering added, Witness note, String addition)
            throws SQLException {
        requireUnchanged(
                counter, old.label(), lockedClaim(record, key), old.claim().orElse(null));
        Witness known = record.read(key).witnesses().get(added.offset());
        boolean isFree = known == null || known.isNotCreated();
        if (!isFree && !record.witnessToken(key, added.offset()).equals(addition)) {
            throw new IdConfigurationException("Another server was added with the same offset: " + counter + " on "
                    + old.label() + " knows of it, " + added + ". Give this one another offset, and drop its table and "
                    + RecordTable.NAME + " before you repeat the command");
        }
        record.putWitness(key, added.offset(), note, addition);
    }

    private static @Nullable NumberingRecord lockedClaim(RecordTable record, String key) throws SQLException {
        long generation = record.lock(record.claimKey(), true);
        return generation == 0 ? null : record.read(key).claim().orElse(null);
    }

    private void requireUnchanged(
            C counter, String label, @Nullable NumberingRecord found, @Nullable NumberingRecord expected) {
        boolean same = found == null ? expected == null : found.equals(expected);
        if (!same) {
            throw new IdConfigurationException("The claim has changed while a server was added: " + counter + " on "
                    + label + ". Does a repair or another addition run? Wait until it has ended, and repeat the"
                    + " command");
        }
    }

    private static String where(CounterKey counter, Seen seen) {
        return counter + " on " + seen.label();
    }

    @FunctionalInterface
    private interface Operation<T> {

        T run() throws SQLException, InterruptedException;
    }

    private static <T> T operate(Operation<T> operation) {
        try {
            return operation.run();
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "All servers must answer: " + e.getMessage() + ". Repeat the command when they do", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted; repeat the command", e);
        }
    }

    @Override
    public void close() {
        servers.forEach(CounterServer::close);
    }
}
