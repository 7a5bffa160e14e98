/** Flickr's ticket servers. */
@NullMarked
package io.distributedid.backend.ticket;

import org.jspecify.annotations.NullMarked;
