/** The checks at start, and our tables and functions in Hibernate's schema export. May change in any release. */
@NullMarked
package io.distributedid.hibernate.internal.schema;

import org.jspecify.annotations.NullMarked;
