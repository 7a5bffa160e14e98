package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Refuses servers that speak the protocol of MySQL or PostgreSQL but are other products. Their version texts name the
 * product. Their counters, transactions and unique keys follow other rules, some draw numbers of one counter on several
 * nodes, and this library was not tested on them.
 */
final class LookAlikes {

    private static final Map<String, Pattern> NAMES = new TreeMap<>();

    static {
        String plain =
                "TiDB OceanBase PlanetScale SingleStore MemSQL TDDL PolarDB-X Xpand Dolt Doris StarRocks MatrixOne"
                        + " ShardingSphere ClickHouse Databend GreptimeDB Manticore CockroachDB Redshift Greenplum"
                        + " CrateDB Materialize RisingWave QuestDB openGauss GaussDB";
        for (String name : plain.split(" ", -1)) {
            NAMES.put(name, Pattern.compile("(?i)(?<![a-z])" + Pattern.quote(name)));
        }
        NAMES.put("YugabyteDB", Pattern.compile("(?i)(?<![a-z])yugabyte|-YB-"));
        // Operators can set Vitess's version to any text, but not its build comment.
        NAMES.put("Vitess", Pattern.compile("(?i)(?<![a-z])vitess|(?<= )Version: \\S+ \\(Git revision"));
    }

    private LookAlikes() {}

    /**
     * Throws if a version text names such a product.
     *
     * @param more version texts from other queries: a proxy may answer one query itself and forward another
     */
    static void refuse(String version, String more, String label) {
        String texts = version + " " + more;
        NAMES.forEach((name, pattern) -> {
            if (pattern.matcher(texts).find()) {
                throw new IdConfigurationException("Ids can't be reserved on this server: " + label + " product=" + name
                        + " version=" + version
                        + ", allowed: MySQL, MariaDB, PostgreSQL, H2, including Percona, Aurora and managed servers."
                        + " List such a server");
            }
        });
    }
}
