/** What an application with Hibernate ORM uses; the glue itself is below. */
@NullMarked
package io.distributedid.hibernate;

import org.jspecify.annotations.NullMarked;
