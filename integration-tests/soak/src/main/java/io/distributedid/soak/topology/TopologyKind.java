package io.distributedid.soak.topology;

import io.distributedid.testkit.MariaDbServer;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.RealServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What can be drawn for a round. */
public enum TopologyKind {
    TICKET_PAIR("two MySQL ticket servers", TicketPair::start, TopologyKind::mySql),
    POSTGRES_BEHIND_PGBOUNCER(
            "a sequence table on PostgreSQL behind PgBouncer, transaction pooling",
            PooledPostgres::start,
            () -> program("pgbouncer", PooledPostgres.pooler())),
    REDIS("Redis", Redis::start, () -> program("redis-server", RealServers.find("redis-server"))),
    ISSUING_SERVICE("two issuing services over a sequence table on MySQL", IssuingService::start, TopologyKind::mySql),
    SNOWFLAKE_BY_ZOOKEEPER(
            "Snowflake, worker numbers leased from three ZooKeeper servers", LeasedSnowflake::start, Optional::empty),
    PRIMARY_WITH_REPLICA(
            "a sequence table on a MySQL primary, whose replica is promoted",
            PrimaryWithReplica::start,
            TopologyKind::mySql),
    MARIADB_PAIR("a sequence table that two MariaDB servers share", MariaDbPair::start, TopologyKind::mariaDb),
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

    private static Optional<String> mySql() {
        List<String> missing = MySqlServer.missingLibraries();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("MySQL needs " + missing + ": apt-get install libaio1 libnuma1");
    }

    private static Optional<String> mariaDb() {
        List<String> missing = MariaDbServer.missingLibraries();
        return missing.isEmpty() ? Optional.empty() : Optional.of("MariaDB needs " + missing);
    }

    private static Optional<String> group() {
        return Files.isDirectory(GroupReplication.base())
                ? mySql()
                : Optional.of("The whole distribution of MySQL is not in " + GroupReplication.base()
                        + ": use mvn -Psoak, which unpacks it");
    }

    /** The Debian packages have the names of their programs. */
    private static Optional<String> program(String name, Optional<Path> found) {
        return found.isPresent() ? Optional.empty() : Optional.of("There is no " + name + ": apt-get install " + name);
    }
}
