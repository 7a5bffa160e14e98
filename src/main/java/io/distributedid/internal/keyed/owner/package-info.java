/**
 * The part of this process in sections of keys: threads, stores, and the calls that wait. Algorithms are in
 * {@link io.distributedid.internal.keyed.section}.
 */
@NullMarked
package io.distributedid.internal.keyed.owner;

import org.jspecify.annotations.NullMarked;
