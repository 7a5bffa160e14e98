package io.distributedid.backend.redis;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which server holds a key. A master gets another replication id at each start, and when it is promoted. Each script
 * compares it, so a connection that leads to another server, or to the same one after a failover, draws nothing.
 *
 * @param runId another one at each start
 * @param replicationId of the history that the server continues
 */
record ServerInfo(String runId, String replicationId) {

    /**
     * Asks the servers of keys, in one trip.
     *
     * @return in the order of the keys
     * @throws SQLException if one is a replica, or does not say who it is
     */
    static List<ServerInfo> of(RedisCalls calls, List<String> keys, boolean isCluster) throws SQLException {
        List<ServerInfo> servers = new ArrayList<>();
        for (String answer : calls.run(
                RedisScript.IDENTITY,
                keys.stream()
                        .map(key -> new RedisCalls.Call(new String[] {key}, new String[] {}))
                        .toList())) {
            servers.add(of(calls.label(), answer.split(",", -1), isCluster));
        }
        return servers;
    }

    private static ServerInfo of(String label, String[] found, boolean isCluster) throws SQLException {
        ServerInfo info = new ServerInfo(found[0], found[1]);
        if (found[2].equals("slave")) {
            throw new RedisFailure("Only the master gives ids: " + label
                    + " is a replica. List its master, or the Sentinels that know it: redis-sentinel://");
        }
        if (info.runId.isEmpty() || info.replicationId.isEmpty()) {
            throw new RedisFailure("A server must say who it is, or a failover would not be noticed: " + label
                    + " has no run_id and master_replid in INFO. Use Redis 4 or later, or Valkey, and allow INFO");
        }
        if (!isCluster && found[3].equals("cluster")) {
            throw new RedisFailure("A cluster has keys on several servers: " + label
                    + " is one of a cluster. Write redis-cluster:// or rediss-cluster:// instead");
        }
        return info;
    }

    /** At most 120 characters, as with databases. */
    String identity() {
        return "run_id " + runId + " replid " + replicationId;
    }
}
