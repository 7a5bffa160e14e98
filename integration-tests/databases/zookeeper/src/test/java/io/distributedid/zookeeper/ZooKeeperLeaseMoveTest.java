package io.distributedid.zookeeper;

import io.distributedid.testkit.LeaseMoveContract;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class ZooKeeperLeaseMoveTest extends LeaseMoveContract {

    private final String path = "/moved/" + UUID.randomUUID();

    @Override
    protected List<Map<String, String>> stores() {
        return List.of(ZooKeeper.store(path + "/from"), ZooKeeper.store(path + "/to"));
    }
}
