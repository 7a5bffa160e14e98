package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.RedisServer;
import java.util.List;
import java.util.stream.Collectors;

/** A cluster of three servers. */
final class RedisCluster {

    private final List<RedisServer> nodes = List.of(start(), start(), start());

    private RedisCluster(int masters) {
        for (int i = 0; i < masters; i++) {
            RedisServers.addSlots(
                    nodes.get(i), i * RedisServers.SLOTS / masters, (i + 1) * RedisServers.SLOTS / masters);
        }
        for (RedisServer other : nodes.subList(1, nodes.size())) {
            meet(other);
        }
    }

    /** Two masters, the first with a replica. */
    static RedisCluster withReplica() {
        RedisCluster cluster = new RedisCluster(2);
        Await.until(
                "the replica knows its master",
                () -> cluster.replica()
                        .command("CLUSTER", "REPLICATE", id(cluster.first()))
                        .equals("OK"));
        cluster.awaitStart();
        Await.until(
                "the replica follows", () -> cluster.replica().command("ROLE").contains("connected"));
        return cluster;
    }

    /** Three masters without replicas. */
    static RedisCluster ofMasters() {
        RedisCluster cluster = new RedisCluster(3);
        cluster.awaitStart();
        return cluster;
    }

    private static RedisServer start() {
        return RedisServers.start(RedisServers.ofCluster("--cluster-node-timeout", "2000"));
    }

    private void meet(RedisServer other) {
        done(other.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(first().port())));
    }

    private void awaitStart() {
        for (RedisServer each : nodes) {
            Await.until("the cluster is up", () -> isUp(each), () -> each.command("CLUSTER", "NODES"));
        }
    }

    /** All three know each other, and who has which slots. */
    private boolean isUp(RedisServer node) {
        return node.command("CLUSTER", "INFO").contains("cluster_slots_ok:" + RedisServers.SLOTS)
                && node.command("CLUSTER", "INFO").contains("cluster_state:ok")
                && node.command("CLUSTER", "NODES").lines().count() == nodes.size();
    }

    private static String id(RedisServer node) {
        return node.command("CLUSTER", "MYID");
    }

    /**
     * Moves the slot of a key from a master to the next one. For a moment one of its two keys is here and the other one
     * there.
     */
    void moveSlot(String key) {
        String slot = first().command("CLUSTER", "KEYSLOT", key);
        RedisServer from = owner(slot);
        RedisServer to = nodes.get((nodes.indexOf(from) + 1) % nodes.size());
        done(to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", id(from)));
        done(from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", id(to)));
        List<String> keys =
                from.command("CLUSTER", "GETKEYSINSLOT", slot, "100").lines().toList();
        assertThat(keys).contains(key);
        for (String each : keys) {
            done(from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), each, "0", "30000"));
        }
        done(to.command("CLUSTER", "SETSLOT", slot, "NODE", id(to)));
        for (RedisServer each : nodes) {
            done(each.command("CLUSTER", "SETSLOT", slot, "NODE", id(to)));
        }
    }

    private RedisServer owner(String slot) {
        return nodes.stream()
                .filter(node ->
                        !node.command("CLUSTER", "COUNTKEYSINSLOT", slot).equals("0"))
                .collect(Collectors.collectingAndThen(Collectors.toList(), owners -> {
                    assertThat(owners).hasSize(1);
                    return owners.get(0);
                }));
    }

    private static void done(String answer) {
        assertThat(answer).isEqualTo("OK");
    }

    RedisServer first() {
        return nodes.get(0);
    }

    RedisServer second() {
        return nodes.get(1);
    }

    RedisServer replica() {
        return nodes.get(2);
    }

    String url() {
        return nodes.stream()
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }
}
