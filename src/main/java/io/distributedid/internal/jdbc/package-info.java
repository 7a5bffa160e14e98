/**
 * Connections of the library's own, with bounds for connecting and for each answer, and what differs between databases.
 * May change in any release.
 */
@NullMarked
package io.distributedid.internal.jdbc;

import org.jspecify.annotations.NullMarked;
