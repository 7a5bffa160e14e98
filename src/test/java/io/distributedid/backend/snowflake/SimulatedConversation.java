package io.distributedid.backend.snowflake;

import io.distributedid.backend.snowflake.lease.Grant;
import io.distributedid.backend.snowflake.lease.SimulatedClient;
import io.distributedid.backend.snowflake.lease.SimulatedClient.Fate;
import io.distributedid.backend.snowflake.lease.SimulatedClient.Found;
import io.distributedid.backend.snowflake.lease.SimulatedClient.Outcome;
import io.distributedid.backend.snowflake.lease.SimulatedClock;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** What a process and the store say to each other; every message takes its time, and some are late or lost. */
final class SimulatedConversation {

    private static final long TIMEOUT = 2 * Simulation.SECOND;

    private final Simulation world;

    private final SimulatedChance chance;

    private final SimulatedMachine machine;

    private final SimulatedClient client;

    /** Called at the end of each conversation, with the failure. */
    private final Consumer<Optional<Exception>> listener;

    private boolean talking;

    SimulatedConversation(Simulation world, SimulatedMachine machine, Consumer<Optional<Exception>> listener) {
        this.world = world;
        this.chance = world.chance();
        this.machine = machine;
        this.listener = listener;
        client = new SimulatedClient(
                world.store(),
                world.terms(),
                machine.clock(),
                () -> 1_000 * world.now(),
                () -> chance.random().nextInt(Integer.MAX_VALUE),
                "process " + machine.life());
    }

    boolean isGoingOn() {
        return talking;
    }

    long windowMillis() {
        return client.windowMillis();
    }

    boolean isDue() {
        return client.isDue();
    }

    @Nullable
    Grant granted() {
        return client.granted();
    }

    void begin() {
        talking = true;
        long clockBefore = machine.clock().at(world.now());
        machine.clock().show(clockBefore);
        if (client.skipsReading()) {
            prolong(clockBefore);
        } else {
            read(clockBefore);
        }
    }

    /** Asks for the next window without a read. */
    private void prolong(long clockBefore) {
        Fate fate = chance.fate();
        send(planned -> {
            boolean up = world.store().isUp();
            Outcome outcome = client.prolong(clockBefore, storeTime(), fate);
            late();
            if (machine.life() != planned) {
                return;
            }
            switch (outcome) {
                case RENEWED -> machine.later(chance.latency(), () -> end(Optional.empty()));
                case REFUSED -> machine.later(chance.latency(), () -> read(clockBefore));
                case SILENCE ->
                    machine.later(
                            up ? TIMEOUT : chance.outageLatency(), () -> end(Optional.of(new Exception("no answer"))));
            }
        });
    }

    /** Something arrives at the store, for the process that lives now. */
    private void send(IntConsumer arrival) {
        long sent = 0;
        if (chance.isPausedBeforeSending()) {
            sent = chance.pauseLength();
            machine.pause(sent);
        }
        int planned = machine.life();
        // What a process has sent arrives even if it has died meanwhile; what it could not send doesn't.
        boolean held = sent > 0;
        world.after(sent + chance.latency(), () -> {
            if (!held || machine.life() == planned) {
                arrival.accept(planned);
            }
        });
    }

    private void end(Optional<Exception> failure) {
        talking = false;
        listener.accept(failure);
    }

    private long storeTime() {
        return SimulatedClock.BEGIN + world.now() / Simulation.MILLI;
    }

    private void read(long clockBefore) {
        int planned = machine.life();
        world.after(chance.latency(), () -> {
            Found found = SimulatedClient.look(world.store(), storeTime());
            if (machine.life() == planned) {
                machine.later(
                        found.rows() == null ? chance.outageLatency() : chance.latency(),
                        () -> write(clockBefore, found));
            }
        });
    }

    /** The answer to the read has come. */
    private void write(long clockBefore, Found found) {
        long clockAfter = machine.clock().millis();
        Fate fate = chance.fate();
        send(planned -> {
            Optional<Exception> failure = client.renew(clockBefore, clockAfter, found, fate);
            late();
            if (machine.life() == planned) {
                boolean silent = failure.isPresent() && found.rows() != null && fate != Fate.ANSWERED;
                machine.later(silent ? TIMEOUT : chance.latency(), () -> end(failure));
            }
        });
    }

    /** The process is about to end. */
    void handBack(long unused) {
        Fate fate = chance.fate();
        world.after(chance.latency(), () -> {
            client.handBack(unused, fate);
            late();
        });
    }

    private void late() {
        client.late().ifPresent(message -> world.after(chance.below(150 * Simulation.SECOND), message));
    }
}
