/** The sequence table: one row per sequence, as Yupoo had it. */
@NullMarked
package io.distributedid.backend.sequencetable;

import org.jspecify.annotations.NullMarked;
