/**
 * Counters on one or several servers that divide the numbers between them, for ticket tables and sequence tables. One
 * {@link io.distributedid.internal.counter.CountingBackend} serves both; each supplies its SQL as a
 * {@link io.distributedid.internal.counter.CounterStore}. May change in any release.
 */
@NullMarked
package io.distributedid.internal.counter;

import org.jspecify.annotations.NullMarked;
