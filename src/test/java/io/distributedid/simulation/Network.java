package io.distributedid.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What lies between clients and servers: how often a request goes wrong, by the seed. It also knows what each process
 * has seen of each counter, since some losses are noticed by processes that have seen later ids, and by nobody else.
 */
final class Network {

    /** What happens to a request. */
    enum Fate {
        /** It is done, and the answer comes. */
        FINE,
        /** It does not arrive. */
        LOST,
        /** It is done, and the answer is lost. */
        UNANSWERED,
        /** It is done when the client no longer waits. */
        LATE,
        /** The driver or a proxy sends it again, since the first answer was lost. */
        TWICE
    }

    private static final Fate[] FATES = Fate.values();

    private record Place(Host client, MemoryServer server, String key) {}

    private final World world;

    private final Judge judge;

    /** One request in so many goes wrong; 0 for none. */
    private int oneIn;

    private BooleanSupplier calm = () -> false;

    private @Nullable MemoryServer loser;

    /** How many requests the server will still do, though their clients have given up. */
    private int late;

    private record Seen(long generation, long id) {}

    private final Map<Place, Long> drawn = new HashMap<>();

    private final Map<Place, Seen> seen = new HashMap<>();

    private final Set<Place> leftOut = new HashSet<>();

    Network(World world, int oneIn, Judge judge) {
        this.world = world;
        this.judge = judge;
        this.oneIn = oneIn;
    }

    /** From now on, all requests are done and answered while the condition holds. */
    void calmWhile(BooleanSupplier condition) {
        calm = condition;
        loser = null;
    }

    /** A client gives up a request. The server will do it later. */
    void beginLate() {
        late++;
    }

    void endLate() {
        late--;
    }

    boolean hasLate() {
        return late > 0;
    }

    /** Never goes wrong again. */
    void end() {
        oneIn = 0;
    }

    /** Until all is calm no more, answers to changes of this server may be lost. */
    void mayLoseAnswersOf(MemoryServer server) {
        loser = server;
    }

    /** Whether another transaction holds a counter. */
    boolean isLocked() {
        return oneIn > 0 && !calm.getAsBoolean() && world.once(4 * oneIn);
    }

    /** Of a change of a server. */
    Fate nextOfChange(MemoryServer server) {
        boolean isCertain = oneIn == 0 || (calm.getAsBoolean() && server != loser) || !world.once(oneIn);
        return isCertain ? Fate.FINE : FATES[1 + world.random(FATES.length - 1)];
    }

    Fate next(boolean isInTransaction) {
        if (oneIn == 0 || calm.getAsBoolean() || !world.once(oneIn)) {
            return Fate.FINE;
        }
        // Within a transaction, a request of a broken connection is rolled back.
        return isInTransaction ? Fate.LOST : FATES[1 + world.random(FATES.length - 1)];
    }

    /** Of ids that are handed back: these requests are rare, so more of them go wrong. */
    Fate nextOfReturn() {
        return oneIn == 0 || calm.getAsBoolean() || world.once(2)
                ? Fate.FINE
                : FATES[2 + world.random(FATES.length - 2)];
    }

    /** A process has raised a counter. */
    void raised(long by) {
        judge.raised(by);
    }

    /** A process has seen an id. */
    void saw(Host client, MemoryServer server, String key, long id) {
        seen.put(new Place(client, server, key), new Seen(server.stored().generation(key), id));
    }

    /** A process has got an error. From now on, it may leave the server out. */
    void failed(Host client, MemoryServer server) {
        leftOut.add(new Place(client, server, ""));
    }

    /** A process has drawn ids. */
    void drew(Host client, MemoryServer server, String key, long last) {
        answered(client, server);
        drawn.merge(new Place(client, server, key), last, Math::max);
        saw(client, server, key, last);
    }

    /** A process has drawn ids: it does not leave the server out. */
    void answered(Host client, MemoryServer server) {
        leftOut.remove(new Place(client, server, ""));
    }

    boolean mayLeaveOut(Host client, MemoryServer server) {
        return leftOut.contains(new Place(client, server, ""));
    }

    /**
     * The highest id that a process knows of a counter; null if it knows none. Under a new generation, others may have
     * handed back what it has only seen; and what it saw before an error, it may not believe.
     */
    @Nullable
    Long known(Host client, MemoryServer server, String key) {
        Place place = new Place(client, server, key);
        Seen last = seen.get(place);
        if (last == null) {
            return null;
        }
        long own = drawn.getOrDefault(place, 0L);
        boolean isBelieved = oneIn == 0;
        return isBelieved && last.generation == server.stored().generation(key) ? Math.max(own, last.id) : own;
    }
}
