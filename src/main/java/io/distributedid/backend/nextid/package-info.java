/** PostgreSQL's {@code next_id()}: ids made by the database that stores the row, after Instagram's design. */
@NullMarked
package io.distributedid.backend.nextid;

import org.jspecify.annotations.NullMarked;
