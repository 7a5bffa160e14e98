package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DdlTest {

    private static final String FIRST_ROW =
            "SELECT '@store' AS name, '1-new' AS version, 0 AS number, 'NEW' AS state, '-' AS text";

    private static final String MYSQL = "CREATE TABLE IF NOT EXISTS "
            + columns("VARCHAR(%d) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin") + " ENGINE=InnoDB AS " + FIRST_ROW;

    @Test
    void eachTableIsCreatedOnce() {
        Map<String, String> settings = Map.of(
                "distributedid.backend", "ticket",
                "distributedid.seq.photos.ticket.table", "TicketsPhotos",
                "distributedid.seq.users.block.min", "1",
                "distributedid.seq.logs.backend", "snowflake");

        assertThat(IdAdmin.ddl(settings, "mysql"))
                .containsExactlyInAnyOrder(
                        "CREATE TABLE IF NOT EXISTS Tickets64 (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub"
                                + " CHAR(1) NOT NULL"
                                + " DEFAULT '', PRIMARY KEY (stub), KEY (id)) ENGINE=InnoDB",
                        "CREATE TABLE IF NOT EXISTS TicketsPhotos (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub"
                                + " CHAR(1) NOT"
                                + " NULL DEFAULT '', PRIMARY KEY (stub), KEY (id)) ENGINE=InnoDB",
                        MYSQL);
    }

    @Test
    void everyDatabaseHasItsOwn() {
        Map<String, String> settings = Map.of("distributedid.backend", "sequence_table");

        assertThat(IdAdmin.ddl(settings, "mariadb"))
                .containsExactly(
                        "CREATE TABLE IF NOT EXISTS sequence (name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT UNSIGNED"
                                + " NOT NULL DEFAULT 0) ENGINE=InnoDB",
                        MYSQL);
        String sequence = "CREATE TABLE IF NOT EXISTS sequence (name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT"
                + " NULL DEFAULT 0)";
        assertThat(IdAdmin.ddl(settings, "PostgreSQL"))
                .containsExactly(
                        sequence,
                        "DO $$ BEGIN CREATE TABLE " + columns("VARCHAR(%d) COLLATE \"C\"")
                                + "; INSERT INTO distributedid " + FIRST_ROW
                                + "; EXCEPTION WHEN duplicate_table OR unique_violation THEN NULL; END $$");
        assertThat(IdAdmin.ddl(settings, "h2"))
                .containsExactly(
                        sequence,
                        "CREATE TABLE IF NOT EXISTS " + columns("VARCHAR_CASESENSITIVE(%d)") + " AS " + FIRST_ROW);
        assertThatThrownBy(() -> IdAdmin.ddl(settings, "oracle"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "There is no SQL for this database: database=oracle, allowed: mysql, mariadb, postgresql, h2");
    }

    private static String columns(String text) {
        return "distributedid (name " + text.formatted(160) + " NOT NULL, version "
                + text.formatted(40) + " NOT NULL, number BIGINT NOT NULL, state " + text.formatted(10)
                + " NOT NULL, text " + text.formatted(2000) + " NOT NULL, PRIMARY KEY (name))";
    }

    @Test
    void soDoesTheTableOfLeasedWorkerNumbers() {
        Map<String, String> settings = Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "lease",
                "distributedid.seq.photos.snowflake.worker", "single_use",
                "distributedid.seq.photos.snowflake.lease.table", "photo_worker",
                "distributedid.seq.users.snowflake.lease.store", "zookeeper");

        assertThat(IdAdmin.ddl(settings, "mysql"))
                .containsExactlyInAnyOrder(MYSQL, MYSQL.replace(" distributedid ", " photo_worker "));
        assertThat(IdAdmin.ddl(
                        Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "7"), "h2"))
                .isEmpty();
    }
}
