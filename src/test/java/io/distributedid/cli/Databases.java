package io.distributedid.cli;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Databases of H2 in memory, for commands. */
final class Databases {

    private Databases() {}

    static String url(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    static String urls(String... databases) {
        return String.join(",", List.of(databases).stream().map(Databases::url).toList());
    }

    static void execute(String database, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(database));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    static long number(String database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(database));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    static String[] arguments(String[] settings, String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(settings));
        return all.toArray(String[]::new);
    }

    static List<Long> ids(Run run) {
        if (run.exitCode() != 0) {
            throw new AssertionError(run.err());
        }
        return run.out().lines().map(Long::valueOf).toList();
    }
}
