/** The generators that Hibernate calls for ids, and the shards of rows. May change in any release. */
@NullMarked
package io.distributedid.hibernate.internal.generate;

import org.jspecify.annotations.NullMarked;
