/** What the start of a persistence unit does, whatever its provider. May change in any release. */
@NullMarked
package io.distributedid.internal.start;

import org.jspecify.annotations.NullMarked;
