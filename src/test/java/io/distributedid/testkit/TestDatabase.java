package io.distributedid.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The database of an application, for a test that looks into it or changes it on the side. Fails the test if it can't.
 */
public record TestDatabase(String url) {

    /** The first column of every row, as text. */
    public List<String> query(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    public void execute(String sql) {
        try {
            DatabaseRows.execute(url, sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
