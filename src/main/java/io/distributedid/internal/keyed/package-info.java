/** Numbers per key: keys, settings, and the sequences that callers see. May change in any release. */
@NullMarked
package io.distributedid.internal.keyed;

import org.jspecify.annotations.NullMarked;
