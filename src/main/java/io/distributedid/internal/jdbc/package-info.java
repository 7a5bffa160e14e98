/**
 * The library's own connections, with timeouts for connecting and for each answer, and differences between databases.
 * May change in any release.
 */
@NullMarked
package io.distributedid.internal.jdbc;

import org.jspecify.annotations.NullMarked;
