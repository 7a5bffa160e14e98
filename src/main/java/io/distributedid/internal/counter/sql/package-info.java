/**
 * What counters in SQL tables of all kinds need to know of their servers: identity, version, locks, whether they can be
 * written, several statements in one trip. May change in any release.
 */
@NullMarked
package io.distributedid.internal.counter.sql;

import org.jspecify.annotations.NullMarked;
