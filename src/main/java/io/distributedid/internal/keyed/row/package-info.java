/** Numbers per key from a row for each key: SQL, servers and connections. May change in any release. */
@NullMarked
package io.distributedid.internal.keyed.row;

import org.jspecify.annotations.NullMarked;
