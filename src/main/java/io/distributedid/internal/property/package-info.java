/** Our annotations on the properties of entities, and how properties hold ids. May change in any release. */
@NullMarked
package io.distributedid.internal.property;

import org.jspecify.annotations.NullMarked;
