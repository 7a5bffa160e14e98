/** The glue to Spring Boot: its settings, its DataSource beans and its life cycle. It holds no algorithm. */
@NullMarked
package io.distributedid.spring;

import org.jspecify.annotations.NullMarked;
