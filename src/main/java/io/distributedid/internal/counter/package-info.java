/**
 * Counters on one or several servers that divide the numbers between them.
 * {@link io.distributedid.internal.counter.CounterRules} decides from what was seen,
 * {@link io.distributedid.internal.counter.CounterSession} reads, draws and changes. It knows no SQL. May change in any
 * release.
 */
@NullMarked
package io.distributedid.internal.counter;

import org.jspecify.annotations.NullMarked;
