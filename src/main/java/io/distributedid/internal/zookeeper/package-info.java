/** ZooKeeper as a place for rows that processes share: its settings. */
@NullMarked
package io.distributedid.internal.zookeeper;

import org.jspecify.annotations.NullMarked;
