package io.distributedid.zookeeper;

import io.distributedid.testkit.LeaseContract;
import java.util.Map;

class ZooKeeperLeaseTest extends LeaseContract {

    @Override
    protected Map<String, String> store() {
        return ZooKeeper.store("/contract/workers");
    }
}
