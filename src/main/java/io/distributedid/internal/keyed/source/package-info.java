/** What each way of numbering keys does, and who owns which of them. May change in any release. */
@NullMarked
package io.distributedid.internal.keyed.source;

import org.jspecify.annotations.NullMarked;
