/** Ids for what MyBatis inserts. */
@NullMarked
package io.distributedid.mybatis;

import org.jspecify.annotations.NullMarked;
