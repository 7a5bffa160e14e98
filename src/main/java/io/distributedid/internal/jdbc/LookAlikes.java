package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * ServerSettingParser that speak the protocol of MySQL or PostgreSQL and are neither: what they say of their version
 * names them. Their counters, transactions and unique keys follow other rules, some give numbers of one counter on
 * several nodes, and none of it was tested.
 */
final class LookAlikes {

    private static final Map<String, Pattern> NAMES = new TreeMap<>();

    static {
        String plain =
                "TiDB OceanBase PlanetScale SingleStore MemSQL TDDL PolarDB-X Xpand Dolt Doris StarRocks MatrixOne ShardingSphere"
                        + " ClickHouse Databend GreptimeDB Manticore CockroachDB Redshift Greenplum CrateDB Materialize RisingWave QuestDB openGauss GaussDB";
        for (String name : plain.split(" ", -1)) {
            NAMES.put(name, Pattern.compile("(?i)(?<![a-z])" + Pattern.quote(name)));
        }
        NAMES.put("YugabyteDB", Pattern.compile("(?i)(?<![a-z])yugabyte|-YB-"));
        // Its comment says how it was built, and its version can be set to any.
        NAMES.put("Vitess", Pattern.compile("(?i)(?<![a-z])vitess|(?<= )Version: \\S+ \\(Git revision"));
    }

    private LookAlikes() {}

    /**
     * Refuses a look-alike.
     *
     * @param version of the server
     * @param more what it says of itself elsewhere: a proxy may answer one question itself and hand on another
     * @param label the server, for the message
     * @throws IdConfigurationException if either names one
     */
    static void refuse(String version, String more, String label) {
        String said = version + " " + more;
        NAMES.forEach((name, pattern) -> {
            if (pattern.matcher(said).find()) {
                throw new IdConfigurationException("Ids can't be reserved on this server: " + label + " product=" + name
                        + " version=" + version
                        + ", allowed: MySQL, MariaDB, PostgreSQL, H2; Percona, Aurora and managed"
                        + " ones, too. List a server of one of these");
            }
        });
    }
}
