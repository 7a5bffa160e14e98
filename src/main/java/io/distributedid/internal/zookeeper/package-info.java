/** ZooKeeper as a place for rows that processes share: settings, and a client through Apache Curator. */
@NullMarked
package io.distributedid.internal.zookeeper;

import org.jspecify.annotations.NullMarked;
