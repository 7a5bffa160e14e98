package io.distributedid.backend.snowflake.lease;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a store at one moment.
 *
 * @param rows in order of their numbers
 * @param storeTime the store's own clock, in milliseconds since 1970
 * @param record the {@link WorkerStore#STORE_RECORD}; null if there is none
 */
public record StoreSnapshot(
        List<WorkerRow> rows, long storeTime, @Nullable String record) {

    /** The rows whose windows are not over by the store's clock, and were not handed back. */
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
