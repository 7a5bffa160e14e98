package io.distributedid.backend.redis;

import java.sql.SQLException;

/**
 * Which server holds a key. A master gets another replication id at each start, and when it is promoted. Each script
 * compares it, so a connection that leads to another server, or to the same one after a failover, draws nothing.
 *
 * @param runId another one at each start
 * @param replicationId of the history that the server continues
 */
record ServerInfo(String runId, String replicationId) {

    /**
     * Asks the server of a key.
     *
     * @throws SQLException if it is a replica, or does not say who it is
     */
    static ServerInfo of(RedisCalls calls, String key, boolean isCluster) throws SQLException {
        String[] found = calls.run(RedisScript.IDENTITY, new RedisCalls.Call(new String[] {key}, new String[] {}))
                .split(",", -1);
        ServerInfo info = new ServerInfo(found[0], found[1]);
        if (found[2].equals("slave")) {
            throw new RedisFailure("Only the master gives ids: " + calls.label()
                    + " is a replica. List its master, or the Sentinels that know it: redis-sentinel://");
        }
        if (info.runId.isEmpty() || info.replicationId.isEmpty()) {
            throw new RedisFailure("A server must say who it is, or a failover would not be noticed: " + calls.label()
                    + " has no run_id and master_replid in INFO. Use Redis 4 or later, or Valkey, and allow INFO");
        }
        if (!isCluster && found[3].equals("cluster")) {
            throw new RedisFailure("A cluster has keys on several servers: " + calls.label()
                    + " is one of a cluster. Write redis-cluster:// or rediss-cluster:// instead");
        }
        return info;
    }

    /** At most 120 characters, as with databases. */
    String identity() {
        return "run_id " + runId + " replid " + replicationId;
    }
}
