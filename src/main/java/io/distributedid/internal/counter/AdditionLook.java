package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a {@link ServerAddition} finds out before it changes a server: all checks are here. For one thread. */
final class AdditionLook<C extends CounterKey> {

    /** A counter as it was seen; {@code target} is what the new server's counter must lie above. */
    record Planned<C>(C counter, List<Seen> old, Seen added, long target, boolean isDone) {

        /** Whether a client has used the counter. */
        boolean isUsed() {
            return AdditionLook.isUsed(old);
        }

        /** The last id of the new server after the addition. */
        long lastNow() {
            long first = target > 0 ? added.numbering().atLeast(target) : 0;
            return isDone ? added.lastOrZero() : Math.max(added.lastOrZero(), first);
        }
    }

    private final List<CounterServer<C>> servers;

    private final DriftLimit driftLimit;

    private final CounterStore<C> store;

    /** The last server is the new one. */
    AdditionLook(List<CounterServer<C>> servers, DriftLimit driftLimit, CounterStore<C> store) {
        this.servers = servers;
        this.driftLimit = driftLimit;
        this.store = store;
    }

    private static boolean isUsed(List<Seen> old) {
        return old.stream().anyMatch(each -> each.claim().isPresent() || each.lastOrZero() > 0);
    }

    /** Looks at a counter on all servers. Refuses a server that can't be added. */
    Planned<C> plan(C counter) throws SQLException, InterruptedException {
        List<Seen> old = seen(counter, servers.subList(0, servers.size() - 1));
        for (Seen each : old) {
            requireRecord(counter, each);
        }
        requireInLine(counter, old);
        Losses.requireNoFarNote(counter, old, driftLimit);
        Seen added = servers.get(servers.size() - 1).look(counter);
        requireRecord(counter, added);
        long target = old.stream().mapToLong(AdditionLook::highest).max().orElse(0);
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
    List<Seen> seen(C counter, List<CounterServer<C>> asked) throws SQLException, InterruptedException {
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

    /** Refuses servers that a client would refuse or change. Changes of a counter that was never used do not count. */
    void requireInLine(C counter, List<Seen> seen) {
        Plan plan = Plan.of(
                counter,
                servers.stream().map(CounterServer::label).toList().subList(0, seen.size()),
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
                                + " knows of a server with this offset" + note.given(", which")
                                + ". Give the new server another offset; if it replaces that server, write it into its"
                                + " place in the list, and run: " + counter.repairCommand());
            }
        }
    }

    private static long highest(Seen seen) {
        return Math.max(Losses.highest(seen), seen.lastOrZero() + seen.slack());
    }

    private static String where(CounterKey counter, Seen seen) {
        return counter + " on " + seen.label();
    }
}
