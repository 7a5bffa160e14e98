/**
 * Process-wide state: the library's threads, the host name, and locks across class loaders. May change in any release.
 */
@NullMarked
package io.distributedid.internal.process;

import org.jspecify.annotations.NullMarked;
