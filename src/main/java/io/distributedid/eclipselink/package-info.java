/** Ids for entities that EclipseLink persists. */
@NullMarked
package io.distributedid.eclipselink;

import org.jspecify.annotations.NullMarked;
