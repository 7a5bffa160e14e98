package io.distributedid.internal.failover;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.ServerBusyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The failures of servers that can stand in for each other, in order. Not thread-safe. */
public final class ServerFailures {

    private static final String NONE = "No server gives ids";

    private final List<Exception> all = new ArrayList<>();

    /** Whether a server was not asked. */
    private boolean isAnyUnasked;

    private final StringBuilder messages = new StringBuilder();

    public void add(String label, Exception e) {
        all.add(e);
        messages.append("; ").append(label).append(" said: ").append(FailureText.of(e));
    }

    /** Adds the last failure of a server that was not asked now. It may be in use again meanwhile. */
    public void add(ServerPause pause) {
        isAnyUnasked = true;
        add(
                pause.label(),
                Objects.requireNonNullElseGet(pause.failure(), () -> new ServerBusyException(pause.label())));
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * The error for callers if no server is left.
     *
     * @throws IdsExhaustedException if all servers were asked, and none has ids left
     */
    public IdUnavailableException noneGivesIds() {
        DistributedIdException error = none(NONE);
        if (error instanceof IdUnavailableException unavailable) {
            return unavailable;
        }
        throw error;
    }

    /** The same, not thrown, with another beginning. */
    public DistributedIdException none(String what) {
        return !isAnyUnasked && all.stream().allMatch(IdsExhaustedException.class::isInstance)
                ? (IdsExhaustedException) all.get(0)
                : toException(what, "");
    }

    /**
     * An error with the messages of all failures, between {@code what} is wrong and the {@code advice}. The first
     * failure is its cause.
     */
    public IdUnavailableException toException(String what, String advice) {
        IdUnavailableException error = new IdUnavailableException(what + messages + advice, all.get(0));
        all.stream().skip(1).forEach(error::addSuppressed);
        return error;
    }

    /** The message of {@link #noneGivesIds}. */
    @Override
    public String toString() {
        return NONE + messages;
    }
}
