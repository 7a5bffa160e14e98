package io.distributedid.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What a database itself says. */
public final class DatabaseRows {

    private DatabaseRows() {}

    public static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** All rows, their columns separated by a blank. */
    public static List<String> rows(String url, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(query)) {
            List<String> rows = new ArrayList<>();
            int columns = found.getMetaData().getColumnCount();
            while (found.next()) {
                StringBuilder row = new StringBuilder();
                for (int column = 1; column <= columns; column++) {
                    row.append(column == 1 ? "" : " ").append(found.getString(column));
                }
                rows.add(row.toString());
            }
            return rows;
        }
    }

    public static long number(String url, String query) throws SQLException {
        return Long.parseLong(rows(url, query).get(0));
    }
}
