/**
 * The buffer between callers and backends: blocks are fetched before they are needed and handed out from memory. May
 * change in any release.
 */
@NullMarked
package io.distributedid.internal.block;

import org.jspecify.annotations.NullMarked;
