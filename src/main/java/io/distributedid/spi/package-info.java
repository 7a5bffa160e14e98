/**
 * The API for authors of backends: an {@link io.distributedid.spi.IdSource} with one method, a
 * {@link io.distributedid.spi.Backend} that opens it, and a {@link io.distributedid.spi.BackendProvider} that is found
 * by {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.distributedid.spi;

import org.jspecify.annotations.NullMarked;
