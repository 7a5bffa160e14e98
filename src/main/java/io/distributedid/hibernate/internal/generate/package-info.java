/** The generators that Hibernate asks for ids, and what they ask of a row. May change in any release. */
@NullMarked
package io.distributedid.hibernate.internal.generate;

import org.jspecify.annotations.NullMarked;
