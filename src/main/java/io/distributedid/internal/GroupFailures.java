package io.distributedid.internal;

import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What went wrong at the servers of a {@link ServerGroup}, one after the other. Not thread-safe. */
final class GroupFailures {

    private final List<Exception> all = new ArrayList<>();

    private final StringBuilder said = new StringBuilder();

    void add(String label, Exception e) {
        all.add(e);
        said.append("; ").append(label).append(" said: ").append(e.getMessage());
    }

    /** One that was not asked now. It may be in use again meanwhile. */
    void add(GroupMember<?> member) {
        add(member.label, Objects.requireNonNullElseGet(member.failure(), () -> new ServerBusyException(member.label)));
    }

    void throwIfAllAreExhausted() {
        if (all.stream().allMatch(IdsExhaustedException.class::isInstance)) {
            throw (IdsExhaustedException) all.get(0);
        }
    }

    IdUnavailableException toException() {
        IdUnavailableException error = new IdUnavailableException("No server gives ids" + said, all.get(0));
        all.stream().skip(1).forEach(error::addSuppressed);
        return error;
    }
}
