/**
 * The open sequences of one SessionFactory or DistributedIds, from configuration to close. May change in any release.
 */
@NullMarked
package io.distributedid.internal.registry;

import org.jspecify.annotations.NullMarked;
