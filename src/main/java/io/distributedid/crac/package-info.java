/** Support for CRaC checkpoints, active if {@code org.crac:crac} is on the class path. */
@NullMarked
package io.distributedid.crac;

import org.jspecify.annotations.NullMarked;
