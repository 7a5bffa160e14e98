/** Ids composed of time, worker and sequence, as Twitter's Snowflake makes them. */
@NullMarked
package io.distributedid.backend.snowflake;

import org.jspecify.annotations.NullMarked;
