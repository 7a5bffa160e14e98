/** The sequences of one SessionFactory, with what they need of its persistence unit. May change in any release. */
@NullMarked
package io.distributedid.hibernate.internal;

import org.jspecify.annotations.NullMarked;
