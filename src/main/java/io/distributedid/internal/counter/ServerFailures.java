package io.distributedid.internal.counter;

import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.ServerBusyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What servers that can stand in for each other said when they failed, one after the other. Not thread-safe. */
public final class ServerFailures {

    private final List<Exception> all = new ArrayList<>();

    private final StringBuilder said = new StringBuilder();

    /** None yet. */
    public ServerFailures() {}

    /**
     * A server failed.
     *
     * @param label names it
     * @param e what it said
     */
    public void add(String label, Exception e) {
        all.add(e);
        said.append("; ").append(label).append(" said: ").append(e.getMessage());
    }

    /** One that was not asked now. It may be in use again meanwhile. */
    void add(ServerPause pause) {
        add(pause.label, Objects.requireNonNullElseGet(pause.failure(), () -> new ServerBusyException(pause.label)));
    }

    /**
     * Whether none has failed.
     *
     * @return whether there is nothing to tell
     */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * What callers are told if no server is left.
     *
     * @return that no server gives ids
     * @throws IdsExhaustedException if none has ids left
     */
    public IdUnavailableException noneGivesIds() {
        if (all.stream().allMatch(IdsExhaustedException.class::isInstance)) {
            throw (IdsExhaustedException) all.get(0);
        }
        return toException("No server gives ids", "");
    }

    /**
     * An error with all of them.
     *
     * @param what is wrong
     * @param advice what to do
     * @return names what each said; the first is its cause
     */
    public IdUnavailableException toException(String what, String advice) {
        IdUnavailableException error = new IdUnavailableException(what + said + advice, all.get(0));
        all.stream().skip(1).forEach(error::addSuppressed);
        return error;
    }
}
