/** Ids for the entities of MyBatis-Plus. */
@NullMarked
package io.distributedid.mybatisplus;

import org.jspecify.annotations.NullMarked;
