/**
 * The annotated properties of a persistence unit: their places, their widths, and the mappings that are refused. May
 * change in any release.
 */
@NullMarked
package io.distributedid.hibernate.internal.mapping;

import org.jspecify.annotations.NullMarked;
