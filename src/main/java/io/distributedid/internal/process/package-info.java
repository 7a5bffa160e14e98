/**
 * What belongs to this process: threads of the library, the host's name, and what is held across class loaders. May
 * change in any release.
 */
@NullMarked
package io.distributedid.internal.process;

import org.jspecify.annotations.NullMarked;
