/**
 * Globally unique, time-ordered 64-bit ids for sharded databases: {@link io.distributedid.DistributedId} for entities,
 * {@link io.distributedid.DistributedIds} for code without Hibernate.
 */
@NullMarked
package io.distributedid;

import org.jspecify.annotations.NullMarked;
