/** The sequence table: one row per sequence, as Yupoo had it. */
@NullMarked
package io.distributedid.sequencetable;

import org.jspecify.annotations.NullMarked;
