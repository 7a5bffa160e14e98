package io.distributedid.zookeeper;

import io.distributedid.testkit.LeaseMoveContract;
import java.util.Map;

/** From one path to another. */
class ZooKeeperMoveTest extends LeaseMoveContract {

    @Override
    protected Map<String, String> oldStore() {
        return ZooKeeper.store("/move/old");
    }

    @Override
    protected Map<String, String> newStore() {
        return ZooKeeper.store("/move/new");
    }
}
