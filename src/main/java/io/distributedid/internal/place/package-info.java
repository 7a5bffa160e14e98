/** What a database of entities remembers: where the ids of each sequence come from. May change in any release. */
@NullMarked
package io.distributedid.internal.place;

import org.jspecify.annotations.NullMarked;
