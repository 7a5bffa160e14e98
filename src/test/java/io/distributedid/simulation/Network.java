package io.distributedid.simulation;

import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What lies between clients and servers: how often a request goes wrong, by the seed. It also knows which servers a
 * process may leave out.
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

    private record Place(Host client, MemoryServer server) {}

    private final World world;

    /** One request in so many goes wrong; 0 for none. */
    private int oneIn;

    private BooleanSupplier calm = () -> false;

    private @Nullable MemoryServer loser;

    /** How many requests the server will still do, though their clients have given up. */
    private int late;

    private final Set<Place> leftOut = new HashSet<>();

    Network(World world, int oneIn) {
        this.world = world;
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

    Fate next() {
        if (oneIn == 0 || calm.getAsBoolean() || !world.once(oneIn)) {
            return Fate.FINE;
        }
        return FATES[1 + world.random(FATES.length - 1)];
    }

    /** A process has got an error. From now on, it may leave the server out. */
    void failed(Host client, MemoryServer server) {
        leftOut.add(new Place(client, server));
    }

    /** A process has drawn ids: it does not leave the server out. */
    void answered(Host client, MemoryServer server) {
        leftOut.remove(new Place(client, server));
    }

    boolean mayLeaveOut(Host client, MemoryServer server) {
        return leftOut.contains(new Place(client, server));
    }
}
