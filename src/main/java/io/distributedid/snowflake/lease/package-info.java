/**
 * Worker numbers that processes lease, with windows of id time: see {@link io.distributedid.snowflake.lease.LeaseProtocol}. Knows
 * nothing of layouts and generators.
 */
@NullMarked
package io.distributedid.snowflake.lease;

import org.jspecify.annotations.NullMarked;
