/**
 * Worker numbers that processes lease, with windows of id time: see
 * {@link io.distributedid.backend.snowflake.lease.LeaseProtocol}. Knows nothing of layouts and generators.
 */
@NullMarked
package io.distributedid.backend.snowflake.lease;

import org.jspecify.annotations.NullMarked;
