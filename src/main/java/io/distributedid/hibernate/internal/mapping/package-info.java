/**
 * The annotated properties of a persistence unit: where they are, what they can hold, and which mappings are refused.
 * May change in any release.
 */
@NullMarked
package io.distributedid.hibernate.internal.mapping;

import org.jspecify.annotations.NullMarked;
