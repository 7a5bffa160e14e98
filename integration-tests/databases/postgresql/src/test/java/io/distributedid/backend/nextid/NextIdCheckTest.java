package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.postgresql.Postgres;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A check of the function that makes ids takes none. */
class NextIdCheckTest {

    @BeforeEach
    void createRoleAndSchema() throws SQLException {
        execute(
                "DROP SCHEMA IF EXISTS checked CASCADE",
                "CREATE SCHEMA checked",
                "DROP ROLE IF EXISTS next_id_reader",
                "CREATE ROLE next_id_reader LOGIN",
                "GRANT pg_read_all_data TO next_id_reader");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hardened", "instagram"})
    void takesNone(String form) throws SQLException {
        assertThat(check(form, "postgres").toString()).contains("The function that makes ids is missing");
        for (String ddl : IdAdmin.ddl(settings(form), "postgresql")) {
            execute(ddl);
        }
        String before = state();

        assertThat(check(form, "postgres"))
                .extracting(result -> result.what() + " " + result.status())
                .containsExactly("function OK");
        assertThat(check(form, "next_id_reader"))
                .extracting(result -> result.what() + " " + result.status())
                .containsExactly("function OK", "rights UNKNOWN");
        assertThat(state()).isEqualTo(before);
    }

    private static List<CheckResult> check(String form, String user) {
        ConnectionAccess own = new ConnectionAccess() {
            @Override
            public Connection obtain() throws SQLException {
                return DriverManager.getConnection(Postgres.url().replace("user=postgres", "user=" + user));
            }

            @Override
            public String label() {
                return "own";
            }
        };
        try (DistributedIds ids = DistributedIds.builder()
                .settings(settings(form))
                .applicationDatabase(own)
                .build()) {
            List<CheckResult> found = ids.admin().check("photos");
            return found;
        }
    }

    private static Map<String, String> settings(String form) {
        return Map.of(
                "distributedid.backend", "next_id",
                "distributedid.next_id.function", "checked.next_id",
                "distributedid.next_id.form", form,
                "distributedid.next_id.shard", "7");
    }

    private static String state() throws SQLException {
        try (Connection connection = DriverManager.getConnection(Postgres.url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT string_agg(s::text, ';') FROM pg_sequences s WHERE schemaname = 'checked'")) {
            row.next();
            return row.getString(1);
        }
    }

    private static void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(Postgres.url());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
