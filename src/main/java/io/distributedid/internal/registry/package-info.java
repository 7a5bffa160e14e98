/**
 * The open sequences of one SessionFactory or DistributedIds, from their configuration to the close. May change in any
 * release.
 */
@NullMarked
package io.distributedid.internal.registry;

import org.jspecify.annotations.NullMarked;
