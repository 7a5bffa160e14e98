/** What the mappers beside Hibernate have in common. */
@NullMarked
package io.distributedid.internal.mapper;

import org.jspecify.annotations.NullMarked;
