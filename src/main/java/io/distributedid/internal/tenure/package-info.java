/**
 * An exclusive right of one process, for a lease in real time: see
 * {@link io.distributedid.internal.tenure.TenureProtocol}. Independent of what the right is for.
 */
@NullMarked
package io.distributedid.internal.tenure;

import org.jspecify.annotations.NullMarked;
