package io.distributedid.redis;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.RedisServer;

/** A cluster of two masters, the first with a replica. */
final class RedisCluster implements AutoCloseable {

    private final RedisServer first = start();

    private final RedisServer second = start();

    private final RedisServer replica = start();

    RedisCluster() {
        first.command("CLUSTER", "ADDSLOTSRANGE", "0", "8191");
        second.command("CLUSTER", "ADDSLOTSRANGE", "8192", "16383");
        for (RedisServer other : new RedisServer[] {second, replica}) {
            other.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(first.port()));
        }
        Await.until(
                "the replica knows its master",
                () -> replica.command("CLUSTER", "REPLICATE", id(first)).equals("OK"));
        for (RedisServer each : new RedisServer[] {first, second, replica}) {
            Await.until("the cluster is up", () -> isUp(each), () -> each.command("CLUSTER", "NODES"));
        }
        Await.until("the replica follows", () -> replica.command("ROLE").contains("connected"));
    }

    private static RedisServer start() {
        return RedisServers.start("--cluster-enabled", "yes", "--cluster-node-timeout", "2000");
    }

    /** All three know each other, and who has which slots. */
    private static boolean isUp(RedisServer node) {
        String slots = node.command("CLUSTER", "SLOTS");
        return node.command("CLUSTER", "INFO").contains("cluster_state:ok")
                && node.command("CLUSTER", "NODES").lines().count() == 3
                && slots.contains("8191")
                && slots.contains("16383");
    }

    private static String id(RedisServer node) {
        return node.command("CLUSTER", "MYID");
    }

    RedisServer first() {
        return first;
    }

    RedisServer second() {
        return second;
    }

    RedisServer replica() {
        return replica;
    }

    String url() {
        return "redis-cluster://127.0.0.1:" + second.port() + ",127.0.0.1:" + first.port() + ",127.0.0.1:"
                + replica.port();
    }

    @Override
    public void close() {
        replica.close();
        second.close();
        first.close();
    }
}
