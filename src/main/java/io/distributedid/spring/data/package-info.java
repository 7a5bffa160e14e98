/** The glue to Spring Data JDBC and Spring Data R2DBC: ids of aggregates. It holds no algorithm. */
@NullMarked
package io.distributedid.spring.data;

import org.jspecify.annotations.NullMarked;
