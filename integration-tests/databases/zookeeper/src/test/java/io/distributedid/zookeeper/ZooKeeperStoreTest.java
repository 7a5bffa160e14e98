package io.distributedid.zookeeper;

import io.distributedid.testkit.WorkerStoreContract;
import java.util.Map;

class ZooKeeperStoreTest extends WorkerStoreContract {

    @Override
    protected Map<String, String> settings(int test) {
        return ZooKeeper.store("/store/test" + test);
    }
}
