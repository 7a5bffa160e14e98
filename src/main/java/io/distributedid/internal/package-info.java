/** What backends share and nobody else sees: settings, the buffer for blocks, the layouts of composed ids, and access to databases. May change in any release. */
@NullMarked
package io.distributedid.internal;

import org.jspecify.annotations.NullMarked;
