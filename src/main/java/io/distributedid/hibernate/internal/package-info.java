/** The sequences of one SessionFactory, with its settings and its database. May change in any release. */
@NullMarked
package io.distributedid.hibernate.internal;

import org.jspecify.annotations.NullMarked;
