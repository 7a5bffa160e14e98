package io.distributedid.zookeeper;

import io.distributedid.testkit.StrictOrderContract;
import java.util.Map;

class ZooKeeperStrictOrderTest extends StrictOrderContract {

    @Override
    protected Map<String, String> store(int test) {
        return ZooKeeper.store("/strict/workers" + test);
    }

    @Override
    protected int steps() {
        return 8;
    }
}
