/** Counters on a ledger in a database, for the backends with SQL. */
@NullMarked
package io.distributedid.internal.counting.sql;

import org.jspecify.annotations.NullMarked;
