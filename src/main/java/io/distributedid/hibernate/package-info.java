/** The glue to Hibernate ORM. It holds no algorithm: it says which sequence a property uses and hands out that sequence's ids. */
@NullMarked
package io.distributedid.hibernate;

import org.jspecify.annotations.NullMarked;
