package io.distributedid.internal.service;

import io.distributedid.internal.failover.ServerPause;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What servers are asked for: whom to ask first, whom to leave out, and what failures mean for it. Thread-safe. */
public interface Subject {

    /** The server that is likely to have it. It is asked first if it is in use. */
    Optional<ServiceServer> likely();

    /** Why a server is left out; empty if it is in use. */
    default Optional<ServerPause> pause(ServiceServer server) {
        return Optional.of(server.pause()).filter(each -> !each.isInUse());
    }

    /**
     * A server has answered or failed, perhaps after its caller has stopped waiting. Whether it can be reached is noted
     * after that.
     *
     * @param failure null if it gave what was asked for
     * @param trial the pause under which it was tried; null if it was in use
     */
    default void ended(ServiceServer server, @Nullable Exception failure, @Nullable ServerPause trial) {}

    /** Whether no other server would answer otherwise. */
    boolean isFinal(Exception failure);

    /** Since when there is none. */
    Outage outage();

    /** How long a call waits. */
    Duration timeout();

    /**
     * Whether a request is repeated no more that no server has answered as it should.
     *
     * @param began when it was sent first
     */
    boolean isGivenUp(long began, long now);

    /** Begins the error if no server answers as it should. */
    String none();
}
