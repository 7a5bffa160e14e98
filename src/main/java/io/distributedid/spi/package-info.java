/**
 * What the author of a backend sees, and all that a backend needs to know of the rest: a source of ids with one method,
 * a backend that opens it, and a provider by which it is found.
 */
@NullMarked
package io.distributedid.spi;

import org.jspecify.annotations.NullMarked;
