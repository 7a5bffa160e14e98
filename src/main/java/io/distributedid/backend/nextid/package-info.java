/** PostgreSQL's {@code next_id()}: ids that the database which stores a row makes itself, after Instagram. */
@NullMarked
package io.distributedid.backend.nextid;

import org.jspecify.annotations.NullMarked;
