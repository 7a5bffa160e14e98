/**
 * Worker numbers that processes lease, with windows of id time: see
 * {@link io.distributedid.backend.snowflake.lease.LeaseProtocol}. Independent of layouts and generators.
 */
@NullMarked
package io.distributedid.backend.snowflake.lease;

import org.jspecify.annotations.NullMarked;
