/** Layouts: the fields in the bits of an id. May change in any release. */
@NullMarked
package io.distributedid.internal.layout;

import org.jspecify.annotations.NullMarked;
