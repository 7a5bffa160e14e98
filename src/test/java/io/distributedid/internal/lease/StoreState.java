package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.LedgerMemory;
import io.distributedid.internal.ledger.LedgerMemory.Known;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A state of {@link StoreModel}. Whoever makes one changes a copy. */
final class StoreState implements Cloneable {

    /** Milliseconds of a tick. */
    static final long TICK = 1_000;

    static final int FREE = 0;

    /** The owner is gone, but may have used the tick. */
    static final int GONE = 10;

    /** Two processes may use the tick, and nobody could know. */
    static final int EXCUSED = 11;

    /** Added to an owner whose row was set back, as long as nobody has told. */
    static final int UNTOLD = 16;

    /** A process or a command. */
    static final class Actor implements Cloneable {

        /** Which of the scenario's commands; -1 if this is a process. */
        int command = -1;

        /** Of the command. */
        String id = "";

        /** Whether the command has ended. */
        boolean isEnded;

        /** What a command that moves has read of the first of its two stores. */
        @Nullable
        Page first;

        /** The address that a process has. */
        int place;

        Known known = new Known(Map.of());

        LeaseState lease = LeaseState.EMPTY;

        /** What its generators use. */
        @Nullable
        Lease used;

        /** What it still writes. */
        List<Write> writes = List.of();

        /** Whether that is the request for a lease. */
        boolean isAsking;

        /** What it knows once it has told of a loss. */
        @Nullable
        Known told;

        Actor copy() {
            try {
                return (Actor) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        void learn(Collection<Row> rows) {
            LedgerMemory memory = new LedgerMemory();
            memory.learn(known.rows().values());
            memory.learn(rows);
            known = memory.known();
        }

        void rest() {
            writes = List.of();
            isAsking = false;
            told = null;
            first = null;
        }
    }

    record Write(int place, Change change) {}

    int now;

    /** What each address leads to. */
    List<Map<String, Row>> stores = List.of();

    /** The identities of their servers. */
    List<String> servers = List.of();

    /** What the first address led to a while ago. */
    @Nullable
    Map<String, Row> copy;

    /** What the first address leads to again. */
    @Nullable
    Map<String, Row> away;

    List<Actor> actors = List.of();

    /** Requests whose sender has given up. */
    List<Write> late = List.of();

    /** By worker number and tick. */
    List<int[]> owners = List.of();

    /** Whether rows were set back, and nobody has told since. */
    boolean isUntold;

    /** Faults that may still happen. */
    int faults;

    /** Requests that may still be late, processes that may die, and commands that may be cut off or repeated. */
    int mishaps;

    private int random;

    StoreState copy() {
        try {
            StoreState next = (StoreState) clone();
            next.stores = new ArrayList<>(stores);
            next.servers = new ArrayList<>(servers);
            next.actors = new ArrayList<>(actors);
            return next;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** A copy of the actor that belongs to this state. */
    Actor change(int actor) {
        Actor changed = actors.get(actor).copy();
        actors.set(actor, changed);
        return changed;
    }

    /** A text that was not used before. */
    String fresh() {
        return "r" + random++;
    }

    long time() {
        return now * TICK;
    }

    @Nullable
    StoreHeader header(int place) {
        return header(stores.get(place));
    }

    static @Nullable StoreHeader header(Map<String, Row> store) {
        Row row = store.get(StoreHeader.NAME);
        return row == null ? null : new StoreHeader(row);
    }

    /** Makes a change, and returns whether it was done. */
    boolean write(Write write) {
        ConcurrentHashMap<String, Row> rows = new ConcurrentHashMap<>(stores.get(write.place));
        boolean done =
                !new MemoryLedger(rows, this::time).write(List.of(write.change)).isEmpty();
        if (done) {
            stores.set(write.place, Map.copyOf(rows));
        }
        return done;
    }

    /** The owners of the ticks of a number, to be changed. */
    int[] changeOwners(int number) {
        List<int[]> all = new ArrayList<>(owners);
        int[] ticks = all.get(number).clone();
        all.set(number, ticks);
        owners = all;
        return ticks;
    }

    /** What the process owned may be in ids. */
    void gone(int actor) {
        for (int number = 0; number < owners.size(); number++) {
            int[] ticks = changeOwners(number);
            for (int tick = 0; tick < ticks.length; tick++) {
                if (ticks[tick] % UNTOLD == actor + 1) {
                    ticks[tick] += GONE - actor - 1;
                }
            }
        }
    }

    static int number(Row row) {
        return row.name().charAt(row.name().length() - 1) - '0';
    }
}
