package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Adds a server to those that divide the numbers of counters, while clients run. The increment must have room: then the
 * new server gets a remainder that no other server gives, and no server changes its numbering.
 *
 * <p>First it looks at every counter on every server. It changes nothing unless the old servers are in line, with one
 * open claim and no note of an id that lies too far ahead, and each counter is new on the new server: no claim, no id,
 * and no old server has a note of a server with this offset. Then, for each counter:
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

    private final List<CounterServer<C>> servers;

    private final AdditionLook<C> look;

    private final Platform platform;

    private List<AdditionLook.Planned<C>> planned = List.of();

    private ServerAddition(
            List<CounterServer<C>> servers, DriftLimit driftLimit, CounterStore<C> store, Platform platform) {
        this.servers = servers;
        this.platform = platform;
        this.look = new AdditionLook<>(servers, driftLimit, store);
    }

    /** Does not connect to any server. The last server of the settings is the new one. */
    public static <C extends CounterKey> ServerAddition<C> of(
            CounterStore<C> store, Settings settings, Platform platform) {
        return new ServerAddition<>(
                servers(store, settings, platform), store.settings().driftLimit(settings), store, platform);
    }

    private static <C extends CounterKey> List<CounterServer<C>> servers(
            CounterStore<C> store, Settings settings, Platform platform) {
        List<CounterServer<C>> servers = new ArrayList<>();
        for (Link.Source<CounterSession<C>> source :
                store.connector(settings, Optional.empty(), false).servers()) {
            servers.add(new CounterServer<>(
                    servers.size(),
                    source,
                    settings.get(CoreSettings.TIMEOUT),
                    ServerPause.outages(platform::nanoTime),
                    platform));
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
        try (ServerAddition<C> old = of(store, settings, Platform.JVM)) {
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
            List<AdditionLook.Planned<C>> plans = new ArrayList<>();
            for (C counter : counters) {
                plans.add(look.plan(counter));
            }
            return plans;
        });
        return rows();
    }

    /**
     * The tables that {@link #look} did not look at, though the old servers hold counters of this list in them. Clients
     * with the new list are refused there until the server is added to them too.
     */
    public Set<String> others() {
        return operate(() -> {
            Set<String> others = new TreeSet<>();
            for (AdditionLook.Planned<C> each : planned) {
                others.addAll(servers.get(0).claimedBeside(each.counter()));
            }
            for (AdditionLook.Planned<C> each : planned) {
                String table = each.counter().table();
                others.removeIf(table.substring(table.lastIndexOf('.') + 1)::equalsIgnoreCase);
            }
            return others;
        });
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (AdditionLook.Planned<C> each : planned) {
            String counter = each.counter().toString();
            boolean isUsed = each.isUsed();
            each.old()
                    .forEach(seen -> rows.add(new Row(
                            counter,
                            seen.label(),
                            seen.lastOrZero(),
                            isUsed ? OptionalLong.of(seen.lastOrZero()) : OptionalLong.empty())));
            rows.add(new Row(
                    counter,
                    each.added().label(),
                    each.added().lastOrZero(),
                    isUsed ? OptionalLong.of(each.lastNow()) : OptionalLong.empty()));
        }
        return rows;
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
            for (AdditionLook.Planned<C> each : planned) {
                if (!each.isDone()) {
                    add(each);
                }
            }
            return planned;
        });
        return rows;
    }

    private void add(AdditionLook.Planned<C> each) throws SQLException, InterruptedException {
        C counter = each.counter();
        CounterServer<C> added = servers.get(servers.size() - 1);
        NumberingRecord claim = each.old().get(0).claim().orElseThrow();
        NumberingRecord ready = new NumberingRecord(
                claim.generation(), each.added().numbering(), NumberingRecord.State.READY, claim.token());
        String addition = added.operate(counter, (stored, key) -> fill(each, stored, key, ready));
        Witness note = new Witness(
                each.added().counter().map(CounterRecord::generation).orElse(1L), each.lastNow());
        for (Seen old : each.old()) {
            boolean unused = servers.get(old.place()).operate(counter, (stored, key) -> {
                note(counter, old, stored.record(), key, ready.numbering(), note, addition);
                return true;
            });
        }
        NumberingRecord unused = added.operate(counter, (stored, key) -> {
            RecordStore record = stored.record();
            requireClaim(record, Optional.of(ready), counter, each.added());
            NumberingRecord open = new NumberingRecord(
                    ready.generation(), ready.numbering(), NumberingRecord.State.OPEN, ready.token());
            record.putClaim(open);
            return open;
        });
        look.requireInLine(counter, look.seen(counter, servers));
    }

    /** Returns the token of this addition. */
    private String fill(AdditionLook.Planned<C> each, StoredCounter stored, String key, NumberingRecord ready)
            throws SQLException {
        RecordStore record = stored.record();
        requireClaim(record, each.added().claim(), each.counter(), each.added());
        String known = record.witnessToken(key, ready.numbering().offset());
        String addition = known.isEmpty() ? platform.token() : known;
        stored.raise(each.target());
        long generation = each.added().counter().map(CounterRecord::generation).orElse(1L);
        long last = each.lastNow();
        record.putCounter(key, new CounterRecord(generation, last, stored.identity()));
        for (Seen old : each.old()) {
            record.putWitness(key, old.numbering().offset(), new Witness(old.generation(), old.lastOrZero()));
        }
        record.putWitness(key, ready.numbering().offset(), new Witness(generation, last), addition);
        record.putClaim(ready);
        return addition;
    }

    private void note(
            C counter, Seen old, RecordStore record, String key, Numbering added, Witness note, String addition)
            throws SQLException {
        requireClaim(record, old.claim(), counter, old);
        if (record.lockCounter(key).filter(CounterRecord::isRetired).isPresent()) {
            throw new IdConfigurationException("The counter was retired while a server was added: " + counter + " on "
                    + old.label() + ". Its sequence takes its ids from another place now");
        }
        Witness known = record.read(key).witnesses().get(added.offset());
        boolean isFree = known == null || known.isNotCreated();
        if (!isFree && !record.witnessToken(key, added.offset()).equals(addition)) {
            throw new IdConfigurationException("Another server was added with the same offset: " + counter + " on "
                    + old.label() + " knows of it, " + added + ". Give this one another offset, and drop its table and "
                    + RecordTable.NAME + " before you repeat the command");
        }
        record.putWitness(key, added.offset(), note, addition);
    }

    private void requireClaim(RecordStore record, Optional<NumberingRecord> known, C counter, Seen seen)
            throws SQLException {
        ClaimLock.require(record, known, "an addition", counter + " on " + seen.label());
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
                    FailureText.ofNeeded("All servers", e, ". Repeat the command when they do"), e);
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
