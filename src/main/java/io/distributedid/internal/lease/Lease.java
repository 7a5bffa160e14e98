package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import org.jspecify.annotations.Nullable;

/**
 * A right that this process holds by a row which it wrote. Its values, which are id times of a worker number or ids of
 * a sequence, lie from {@code from} to before {@link #bound}. They belong to this process for ever: no other one is
 * granted them, also after the right has ended.
 *
 * @param row as this process wrote it
 * @param from the first value
 * @param since before the request that wrote the row was first sent, in nanoseconds of this process's monotonic clock
 * @param unconfirmed the version that the store's header had before the row was claimed. The right is not used before a
 *     later read shows that version; null from then on
 */
public record Lease(
        Row row, long from, long since, @Nullable Version unconfirmed) {

    /** The first value that does not belong to this process any more. */
    public long bound() {
        return row.number();
    }

    /** Whether its row is missing, or is an older one. */
    boolean isLost(Page page) {
        Row found = page.rows().get(row.name());
        return found == null
                || found.version().count() <= row.version().count()
                        && !found.version().equals(row.version());
    }

    public boolean isConfirmed() {
        return unconfirmed == null;
    }

    /** It is to be claimed again: no header has the version of a row. */
    Lease ended() {
        return new Lease(row, from, since, row.version());
    }

    Lease confirmed() {
        return new Lease(row, from, since, null);
    }
}
