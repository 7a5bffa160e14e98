package io.distributedid.backend.snowflake.lease;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store held at one moment.
 *
 * @param rows in order of their numbers
 * @param storeTime the store's own clock, in milliseconds since 1970
 * @param record what the store says of itself, {@link WorkerStore#OWN_RECORD}; null if it says nothing
 */
public record StoreSnapshot(
        List<WorkerRow> rows, long storeTime, @Nullable String record) {

    /** The rows whose numbers somebody holds, by the store's clock. */
    List<WorkerRow> held() {
        return rows.stream()
                .filter(row -> !row.isHandedBack() && row.reservedUntil() > storeTime)
                .toList();
    }

    @Nullable
    WorkerRow row(long worker) {
        return rows.stream().filter(row -> row.worker() == worker).findFirst().orElse(null);
    }
}
