package io.distributedid.zookeeper;

import io.distributedid.testkit.SectionPlace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.test.TestingServer;

/** Sections below a node of ZooKeeper. */
record ZooKeeperSectionPlace(String servers, String path) implements SectionPlace {

    /** Work with a client of its own. */
    @FunctionalInterface
    interface Work<T> {

        T in(CuratorFramework curator) throws Exception;
    }

    static <T> T as(String servers, Work<T> work) throws Exception {
        try (CuratorFramework curator = CuratorFrameworkFactory.newClient(servers, new RetryNTimes(20, 500))) {
            curator.start();
            return work.in(curator);
        }
    }

    @Override
    public Map<String, Object> settings() {
        return Map.of(
                "distributedid.keyed.section.store",
                "zookeeper",
                "distributedid.keyed.section.zookeeper",
                servers,
                "distributedid.keyed.section.path",
                path);
    }

    String node(int row) {
        return path + "/messages/" + row;
    }

    String row(int row) throws Exception {
        return as(servers, curator -> new String(curator.getData().forPath(node(row)), StandardCharsets.UTF_8));
    }

    void set(int row, String text) throws Exception {
        as(servers, curator -> curator.setData().forPath(node(row), text.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public Map<Integer, String> owners() throws Exception {
        return as(servers, curator -> {
            Map<Integer, String> owners = new TreeMap<>();
            for (String name : curator.getChildren().forPath(path + "/messages")) {
                int row = Integer.parseInt(name);
                if (row >= 0) {
                    String[] parts =
                            new String(curator.getData().forPath(node(row)), StandardCharsets.UTF_8).split(" ", 4);
                    owners.put(row, parts.length == 4 ? parts[3] : "");
                }
            }
            return owners;
        });
    }

    @Override
    public void replace(int section, long max, String owner) throws Exception {
        set(section, (max + " 0 " + UUID.randomUUID() + " " + owner).strip());
    }

    @Override
    public void empty() throws Exception {
        as(servers, curator -> curator.delete().deletingChildrenIfNeeded().forPath(path + "/messages"));
    }

    /** To a server of its own, which is stopped. */
    @Override
    public Way way() throws Exception {
        return new Outage(new TestingServer(true), path);
    }

    private record Outage(TestingServer server, String path) implements Way {

        @Override
        public Map<String, Object> settings() {
            return new ZooKeeperSectionPlace(server.getConnectString(), path).settings();
        }

        @Override
        public void cut() throws Exception {
            server.stop();
        }

        @Override
        public void mend() throws Exception {
            server.restart();
        }

        @Override
        public String error() {
            return path + " on " + server.getConnectString() + " said: ";
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
