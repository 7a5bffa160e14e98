/** Ids for tests, counted in the memory of this JVM. May change in any release. */
@NullMarked
package io.distributedid.backend.memory;

import org.jspecify.annotations.NullMarked;
