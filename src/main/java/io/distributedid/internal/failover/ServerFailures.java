package io.distributedid.internal.failover;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.internal.process.Pages;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The last failures of servers that can stand in for each other, in order. Not thread-safe. */
public final class ServerFailures {

    private static final String NONE = "No server gives ids";

    private final Map<String, Exception> all = new LinkedHashMap<>();

    /** Whether a server was not asked. */
    private boolean isAnyUnasked;

    public void add(String label, Exception e) {
        all.put(label, e);
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
        return !isAnyUnasked && all.values().stream().allMatch(IdsExhaustedException.class::isInstance)
                ? (IdsExhaustedException) all.values().iterator().next()
                : toException(what, Pages.onCall("no-server"));
    }

    /**
     * An error with the messages of all failures, between {@code what} is wrong and the {@code advice}, which ends with
     * {@link Pages#onCall(String)}. The first failure is its cause.
     */
    public IdUnavailableException toException(String what, String advice) {
        Exception first = all.values().iterator().next();
        IdUnavailableException error = new IdUnavailableException(Pages.withOneRow(what + messages() + advice), first);
        all.values().stream().skip(1).forEach(error::addSuppressed);
        return error;
    }

    /** The message of {@link #noneGivesIds}. */
    @Override
    public String toString() {
        return Pages.withOneRow(NONE + messages() + Pages.onCall("no-server"));
    }

    private String messages() {
        StringBuilder messages = new StringBuilder();
        all.forEach((label, e) ->
                messages.append("; ").append(label).append(" said: ").append(FailureText.of(e)));
        return messages.toString();
    }
}
