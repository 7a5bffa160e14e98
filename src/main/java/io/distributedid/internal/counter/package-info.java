/**
 * Counters on one or several servers that divide the numbers between them: what ticket tables and sequence tables have
 * in common.
 * Backends supply the SQL as {@link io.distributedid.internal.counter.CounterSession}. May change in any release.
 */
@NullMarked
package io.distributedid.internal.counter;

import org.jspecify.annotations.NullMarked;
