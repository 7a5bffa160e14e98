/**
 * The largest id that exists in the tables of an application, for comparison with what its sequence would give next.
 * May change in any release.
 */
@NullMarked
package io.distributedid.internal.existing;

import org.jspecify.annotations.NullMarked;
