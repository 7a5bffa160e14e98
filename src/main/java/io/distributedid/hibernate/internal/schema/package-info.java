/**
 * The checks at start, and the tables and functions of ours in Hibernate's schema export. May change in any release.
 */
@NullMarked
package io.distributedid.hibernate.internal.schema;

import org.jspecify.annotations.NullMarked;
