package io.distributedid.internal.keyed.remote;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.service.ServiceException;
import io.distributedid.internal.service.ServiceServer;
import io.distributedid.internal.service.Subject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for. Calls with equal spots share a request. Only a server that can't be reached is left out: one
 * without a number of this key may have those of others.
 *
 * @param routes of the sequence
 * @param want what the answer is
 */
record KeySpot(KeyRoutes routes, String sequence, String key, Want want) implements Subject {

    enum Want {
        /** Numbers that are taken. */
        NUMBERS,
        /** The last number of the key. */
        LAST,
        /** A number that those of the key that were given do not exceed. */
        BOUND
    }

    /** Whether no number is taken. */
    boolean isRead() {
        return want != Want.NUMBERS;
    }

    @Override
    public Optional<ServiceServer> likely() {
        return routes.likely(key);
    }

    @Override
    public Optional<ServerPause> pause(ServiceServer server) {
        return Optional.of(server.pause()).filter(each -> !each.isInUse());
    }

    /** A refusal is an answer too. */
    @Override
    public void ended(ServiceServer server, @Nullable Exception failure, @Nullable ServerPause trial) {
        if (failure != null && ServiceException.isOf(ServiceException.Kind.UNREACHABLE, failure)) {
            server.pause().failed(failure, trial != null);
            return;
        }
        server.pause().succeeded();
        if (ServiceException.isOf(ServiceException.Kind.ELSEWHERE, failure)) {
            routes.refresh(server);
        }
    }

    /** A refusal is about the key, or meets all servers. */
    @Override
    public boolean isFinal(Exception failure) {
        return failure instanceof DistributedIdException;
    }

    /** Also of calls that only read. */
    @Override
    public Object place() {
        return List.of(sequence, key);
    }

    @Override
    public String none() {
        return "No server gives a number: " + this;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "seq=" + sequence + " key=" + key;
    }
}
