/** Ids for the records of jOOQ. */
@NullMarked
package io.distributedid.jooq;

import org.jspecify.annotations.NullMarked;
