package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Row;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A compare-and-set that asks for a right, for more of it, or ends it.
 *
 * @param change of the right's row
 * @param lease what this process holds once that is done, if it is confirmed; null if it is a hand-back
 */
public record LeaseRequest(Change change, @Nullable Lease lease) {

    String name() {
        return change.name();
    }

    boolean isDone(Map<String, Row> rows) {
        Row found = rows.get(name());
        return found != null && found.version().equals(change.next().version());
    }

    /** Whether the row is as the request expects it. */
    boolean isPossible(Map<String, Row> rows) {
        return Optional.ofNullable(rows.get(name())).map(Row::version).equals(change.expected());
    }
}
