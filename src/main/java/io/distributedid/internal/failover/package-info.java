/**
 * Servers of any kind that stand in for each other: which are left out, and what callers and operators are told. May
 * change in any release.
 */
@NullMarked
package io.distributedid.internal.failover;

import org.jspecify.annotations.NullMarked;
