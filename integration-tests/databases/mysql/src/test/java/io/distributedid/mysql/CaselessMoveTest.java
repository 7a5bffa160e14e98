package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two sequences whose names differ in case, and a server to which they are one name. */
@Needs(Need.MYSQL)
class CaselessMoveTest {

    private static final String CASE_SENSITIVE =
            "CREATE TABLE sequence (name VARCHAR(50) COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,"
                    + " id BIGINT UNSIGNED NOT NULL DEFAULT 0) CHARACTER SET utf8mb4";

    private final Map<String, Set<Long>> given = new TreeMap<>();

    private int twice;

    @BeforeEach
    void create() throws SQLException {
        for (String schema : new String[] {"caseless1", "caseless2"}) {
            DatabaseRows.execute(url("mysql"), "DROP DATABASE IF EXISTS " + schema, "CREATE DATABASE " + schema);
        }
        DatabaseRows.execute(url("caseless1"), CASE_SENSITIVE);
    }

    private static String url(String schema) {
        return MySqlServers.shard(0).jdbcUrl(schema);
    }

    @Test
    void noIdIsGivenTwiceWhicheverOfThemIsAhead() throws SQLException {
        take("caseless1", "Photos", 5);
        take("caseless1", "photos", 500);

        assertThatThrownBy(CaselessMoveTest::move)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("Two sequences differ only in case, which the table ignores");
        take("caseless1", "Photos", 1);
        DatabaseRows.execute(
                url("caseless2"), "ALTER TABLE sequence MODIFY name VARCHAR(50) COLLATE utf8mb4_bin NOT NULL");
        move();
        take("caseless1, caseless2", "Photos", 300);
        take("caseless1, caseless2", "photos", 300);
        assertThat(twice).as("ids given twice").isZero();
    }

    private static void move() {
        try (DistributedIds ids = open("caseless1, caseless2")) {
            ids.admin().move("photos", CounterMove.from(settings("caseless1")));
        }
    }

    private static DistributedIds open(String schemas) {
        return DistributedIds.create(settings(schemas));
    }

    private static Map<String, Object> settings(String schemas) {
        return Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                Stream.of(schemas.split(", ")).map(CaselessMoveTest::url).collect(Collectors.joining(", ")),
                "distributedid.create_tables",
                true,
                "distributedid.block.max",
                100);
    }

    private void take(String schemas, String sequence, int count) {
        try (DistributedIds ids = open(schemas)) {
            for (int i = 0; i < count; i++) {
                if (!given.computeIfAbsent(sequence, key -> new HashSet<>()).add(ids.next(sequence))) {
                    twice++;
                }
            }
        }
    }
}
