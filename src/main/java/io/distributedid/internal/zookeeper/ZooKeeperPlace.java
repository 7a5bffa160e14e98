package io.distributedid.internal.zookeeper;

import java.util.Optional;

/**
 * A node of ZooKeeper, below which a store keeps its own.
 *
 * @param servers as in ZooKeeper's connect string
 * @param path of the node
 * @param credentials {@code user:password}, restricts the created nodes to this user; empty for open nodes
 */
public record ZooKeeperPlace(String servers, String path, Optional<String> credentials) {

    /** Names it in messages, without user and password. */
    public String label() {
        return path + " on " + servers;
    }

    @Override
    public String toString() {
        return label();
    }
}
