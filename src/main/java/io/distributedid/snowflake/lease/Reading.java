package io.distributedid.snowflake.lease;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store held at one moment.
 *
 * @param rows in order of their numbers
 * @param storeTime the store's own clock, in milliseconds since 1970
 */
public record Reading(List<WorkerRow> rows, long storeTime) {

    @Nullable
    WorkerRow row(long worker) {
        return rows.stream().filter(row -> row.worker() == worker).findFirst().orElse(null);
    }
}
