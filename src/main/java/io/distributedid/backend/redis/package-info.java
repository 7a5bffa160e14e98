/** Counters in Redis or Valkey: a key for each sequence, raised by a script. */
@NullMarked
package io.distributedid.backend.redis;

import org.jspecify.annotations.NullMarked;
