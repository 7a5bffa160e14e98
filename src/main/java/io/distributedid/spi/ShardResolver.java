package io.distributedid.spi;

/**
 * The application's own rule for the logical shard of a row. The value of {@code distributedid.shard.resolver} is an
 * instance, or the name of a class with a public constructor without parameters. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface ShardResolver {

    /**
     * Returns the shard of a row. The result for a key must never change, since the ids of existing rows carry it.
     *
     * @param key Hibernate's tenant identifier as text, or the value of the entity's property; never null
     * @return from 0 to below {@code distributedid.shard.count}; other numbers are refused
     */
    long shard(Object key);
}
