package io.distributedid.backend.snowflake.lease;

/**
 * What must be true of a store at the moment of a write.
 *
 * @param record the {@link WorkerStore#STORE_RECORD} as it was read or written
 * @param earliest the store's clock shows at least this, in milliseconds since 1970
 * @param latest the store's clock shows at most this
 */
public record StoreCondition(String record, long earliest, long latest) {

    boolean allows(long storeTime) {
        return earliest <= storeTime && storeTime <= latest;
    }
}
