package io.distributedid.soak.topology;

import io.distributedid.testkit.Need;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** What can be drawn for a round. */
public enum TopologyKind {
    TICKET_PAIR("two MySQL ticket servers", TicketPair::start, Need.MYSQL::lack),
    POSTGRES_BEHIND_PGBOUNCER(
            "a sequence table on PostgreSQL behind PgBouncer, transaction pooling",
            PooledPostgres::start,
            Need.PGBOUNCER::lack),
    REDIS("Redis", Redis::start, Need.REDIS::lack),
    ISSUING_SERVICE("two issuing services over a sequence table on MySQL", IssuingService::start, Need.MYSQL::lack),
    SNOWFLAKE_BY_ZOOKEEPER(
            "Snowflake, worker numbers leased from three ZooKeeper servers", LeasedSnowflake::start, Optional::empty),
    PRIMARY_WITH_REPLICA(
            "a sequence table on a MySQL primary, whose replica is promoted",
            PrimaryWithReplica::start,
            Need.MYSQL::lack),
    MARIADB_PAIR("a sequence table that two MariaDB servers share", MariaDbPair::start, Need.MARIADB::lack),
    GROUP_REPLICATION(
            "a sequence table on a MySQL group of three, one of which is primary",
            GroupReplication::start,
            TopologyKind::group);

    private interface Start {
        Topology start(Path folder) throws Exception;
    }

    private final String text;

    private final Start start;

    private final Supplier<Optional<String>> missing;

    TopologyKind(String text, Start start, Supplier<Optional<String>> missing) {
        this.text = text;
        this.start = start;
        this.missing = missing;
    }

    /** For people. */
    public String text() {
        return text;
    }

    /** Starts its servers with their data in a folder of their own. */
    public Topology start(Path folder) throws Exception {
        return start.start(folder);
    }

    /** Why it can't run on this machine, and what to install; empty if it can. */
    public Optional<String> missing() {
        return missing.get();
    }

    private static Optional<String> group() {
        return Files.isDirectory(GroupReplication.base())
                ? Need.MYSQL_PACKAGE.lack()
                : Optional.of("The whole distribution of MySQL is not in " + GroupReplication.base()
                        + ": use mvn -Psoak, which unpacks it");
    }
}
