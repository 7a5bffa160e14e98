/**
 * Reads the largest existing id in the tables of an application, to compare it with the next id of the sequence. May
 * change in any release.
 */
@NullMarked
package io.distributedid.internal.existing;

import org.jspecify.annotations.NullMarked;
