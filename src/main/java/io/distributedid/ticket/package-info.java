/** Flickr's ticket servers. */
@NullMarked
package io.distributedid.ticket;

import org.jspecify.annotations.NullMarked;
