/** Numbers per key from an issuing service over HTTP. May change in any release. */
@NullMarked
package io.distributedid.internal.keyed.remote;

import org.jspecify.annotations.NullMarked;
