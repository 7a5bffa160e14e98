/** Functions for HQL, JPQL and criteria queries. May change in any release. */
@NullMarked
package io.distributedid.hibernate.internal.query;

import org.jspecify.annotations.NullMarked;
