package io.distributedid.zookeeper;

import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.lease.LedgerLeaseStore;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import io.distributedid.testkit.LeaseStoreContract;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;

class ZooKeeperLeaseStoreTest extends LeaseStoreContract {

    private static String path(int number) {
        return "/store/test" + number;
    }

    @Override
    protected LeaseStore store(int number) {
        ZooKeeperPlace place =
                new ZooKeeperPlace(ZooKeeper.server().getConnectString(), path(number), Optional.empty());
        return LedgerLeaseStore.zooKeeper(place, true, Duration.ofSeconds(60));
    }

    @Override
    protected void delete(int number, Collection<String> names) throws Exception {
        try (CuratorFramework curator =
                CuratorFrameworkFactory.newClient(ZooKeeper.server().getConnectString(), new RetryNTimes(20, 500))) {
            curator.start();
            for (String name : names) {
                curator.delete().forPath(path(number) + "/" + name.replace("/", "%2F"));
            }
        }
    }
}
