/**
 * Generators for Hibernate Reactive, which wait on no event loop. In use if Hibernate Reactive is on the class path and
 * builds the SessionFactory. Nothing of it is API.
 */
@NullMarked
package io.distributedid.reactive;

import org.jspecify.annotations.NullMarked;
