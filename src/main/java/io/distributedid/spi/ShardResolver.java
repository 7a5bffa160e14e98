package io.distributedid.spi;

/**
 * The user's own rule for the logical shard of a row: an object in the settings, or the name of a class with a public
 * constructor without parameters, as {@link io.distributedid.DistributedIdSettings#SHARD_RESOLVER}. Thread-safe.
 */
@FunctionalInterface
public interface ShardResolver {

    /**
     * The shard of a row. The same for the same key for ever, since keys of rows that exist say where they lie.
     *
     * @param key Hibernate's tenant identifier as text, or the value of the entity's property; never null
     * @return from 0 to below {@link io.distributedid.DistributedIdSettings#SHARD_COUNT}; other numbers are refused
     */
    long shard(Object key);
}
