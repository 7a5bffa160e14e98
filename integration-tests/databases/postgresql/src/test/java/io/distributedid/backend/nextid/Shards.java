package io.distributedid.backend.nextid;

import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.postgresql.Postgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Schemas with a function, for tests. */
final class Shards {

    static final Instant EPOCH = Instant.ofEpochMilli(1_314_220_021_721L);

    static final IdLayout LAYOUT = LayoutParser.parse("time(ms):40, shard:13, sequence:10", EPOCH);

    static final int SHARD = 1341;

    private Shards() {}

    static Map<String, String> settings(NextIdForm form) {
        return Map.of("distributedid.backend", "next_id", "distributedid.next_id.form", form.label());
    }

    static Connection connect() throws SQLException {
        return DriverManager.getConnection(Postgres.url());
    }

    /** Empty schemas, and no function of ours in any other. */
    static void recreate(Connection connection, String... schemas) throws SQLException {
        execute(connection, """
                DO $$ DECLARE name text; BEGIN
                  FOR name IN SELECT DISTINCT pronamespace::regnamespace::text FROM pg_proc
                    WHERE obj_description(oid, 'pg_proc') LIKE 'distributedid %'
                  LOOP EXECUTE 'DROP SCHEMA ' || name || ' CASCADE'; END LOOP;
                END $$""");
        for (String schema : schemas) {
            execute(connection, "DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            execute(connection, "CREATE SCHEMA " + schema);
        }
    }

    /** A schema with a function of the real clock. */
    static void create(Connection connection, String schema, NextIdForm form) throws SQLException {
        recreate(connection, schema);
        NextIdSchema.create(connection, settings(form), schema, SHARD);
    }

    /** A schema with a function whose clock is a table, to be set by {@link #setClock}. */
    static void createWithClock(Connection connection, String schema, NextIdForm form, IdLayout layout)
            throws SQLException {
        recreate(connection, schema);
        execute(connection, "CREATE TABLE " + schema + ".clock (instant timestamptz NOT NULL)");
        execute(connection, "INSERT INTO " + schema + ".clock VALUES (clock_timestamp())");
        execute(
                connection,
                new NextIdFunction(
                                NextIdRecord.of(new FunctionName(schema + ".next_id"), form, layout, Set.of()),
                                SHARD,
                                "(SELECT c.instant FROM " + schema + ".clock c)")
                        .ddl());
    }

    static void setClock(Connection connection, String schema, Instant instant) throws SQLException {
        execute(connection, "UPDATE " + schema + ".clock SET instant = '" + instant + "'");
    }

    static List<Long> ids(Connection connection, String schema, int count) throws SQLException {
        return numbers(connection, "SELECT " + schema + ".next_id() FROM generate_series(1, " + count + ")");
    }

    static long id(Connection connection, String schema) throws SQLException {
        return number(connection, "SELECT " + schema + ".next_id()");
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long number(Connection connection, String sql) throws SQLException {
        return numbers(connection, sql).get(0);
    }

    static List<Long> numbers(Connection connection, String sql) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                numbers.add(row.getLong(1));
            }
        }
        return numbers;
    }
}
