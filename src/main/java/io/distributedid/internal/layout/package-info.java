/** How the bits of a composed id are divided into fields. May change in any release. */
@NullMarked
package io.distributedid.internal.layout;

import org.jspecify.annotations.NullMarked;
