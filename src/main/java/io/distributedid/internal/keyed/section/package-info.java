/**
 * Numbers per key from memory: a section of the keys belongs to one process at a time, see
 * {@link io.distributedid.internal.keyed.section.SectionProtocol}. Independent of stores, threads and the network.
 */
@NullMarked
package io.distributedid.internal.keyed.section;

import org.jspecify.annotations.NullMarked;
