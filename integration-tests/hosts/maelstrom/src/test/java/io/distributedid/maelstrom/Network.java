package io.distributedid.maelstrom;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Carries messages between nodes and services. May cut, delay, lose and double them; messages of clients arrive
 * unharmed, so that what a client did not get was not given. Thread-safe.
 */
final class Network implements AutoCloseable {

    /** What befalls messages. */
    enum Trouble {
        /** They don't get from one side to the other. */
        PARTITION,
        /** Each takes a time of its own, so they overtake each other. */
        DELAY,
        LOSS,
        DUPLICATION
    }

    private static final int USUAL_DELAY_MICROS = 2_000;

    private static final int LONG_DELAY_MICROS = 700_000;

    private static final double PART = 0.4;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "network");
        made.setDaemon(true);
        return made;
    });

    private final Random random;

    private final Map<String, Consumer<Message>> places = new HashMap<>();

    private final Map<Trouble, Integer> counts = new EnumMap<>(Trouble.class);

    private final Set<Trouble> troubles = new HashSet<>();

    private Set<String> side = Set.of();

    Network(Random random) {
        this.random = random;
    }

    /** From now on {@code receiver} gets the messages to {@code name}, on the thread of the network. */
    synchronized void join(String name, Consumer<Message> receiver) {
        places.put(name, receiver);
    }

    /** The names of nodes and services. */
    synchronized Set<String> places() {
        return Set.copyOf(places.keySet());
    }

    /** Cuts the places of one side off from all others. */
    synchronized void partition(Set<String> oneSide) {
        side = oneSide;
        troubles.add(Trouble.PARTITION);
    }

    synchronized void begin(Trouble trouble) {
        troubles.add(trouble);
    }

    synchronized void end(Trouble trouble) {
        troubles.remove(trouble);
    }

    /** How many messages each trouble befell. */
    synchronized Map<Trouble, Integer> counts() {
        return new EnumMap<>(counts);
    }

    /** Takes a message of a node or a service. */
    synchronized void send(Message message) {
        if (troubles.contains(Trouble.PARTITION) && side.contains(message.src()) != side.contains(message.dest())) {
            counts.merge(Trouble.PARTITION, 1, Integer::sum);
            return;
        }
        if (chance(Trouble.LOSS)) {
            return;
        }
        deliver(message);
        if (chance(Trouble.DUPLICATION)) {
            deliver(message);
        }
    }

    private boolean chance(Trouble trouble) {
        boolean happens = troubles.contains(trouble) && random.nextDouble() < PART;
        if (happens) {
            counts.merge(trouble, 1, Integer::sum);
        }
        return happens;
    }

    private void deliver(Message message) {
        int most = chance(Trouble.DELAY) ? LONG_DELAY_MICROS : USUAL_DELAY_MICROS;
        thread.schedule(() -> arrive(message), random.nextInt(most), TimeUnit.MICROSECONDS);
    }

    /** A message to a place that is not there is lost. */
    private void arrive(Message message) {
        Consumer<Message> receiver;
        synchronized (this) {
            receiver = places.get(message.dest());
        }
        if (receiver != null) {
            receiver.accept(message);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
