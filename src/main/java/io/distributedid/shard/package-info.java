/** Shard numbers: from a tenant identifier, a property of an entity, or the caller, into an id. */
@NullMarked
package io.distributedid.shard;

import org.jspecify.annotations.NullMarked;
