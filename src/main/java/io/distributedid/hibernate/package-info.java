/** The API for applications with Hibernate ORM. The packages below it are internal. */
@NullMarked
package io.distributedid.hibernate;

import org.jspecify.annotations.NullMarked;
