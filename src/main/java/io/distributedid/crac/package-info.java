/** Checkpoints of running processes; works without the library that it is for. */
@NullMarked
package io.distributedid.crac;

import org.jspecify.annotations.NullMarked;
