package io.distributedid.backend.sequencetable;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** How a sequence table, and a row of it, are created. */
final class SequenceTableSql {

    private SequenceTableSql() {}

    static String ddl(DatabaseProduct product, String table) {
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        return "CREATE TABLE IF NOT EXISTS " + table + " (name VARCHAR(50) NOT NULL PRIMARY KEY, id "
                + (isMySql ? "BIGINT UNSIGNED" : "BIGINT") + " NOT NULL DEFAULT 0)" + (isMySql ? " ENGINE=InnoDB" : "");
    }

    /** Creates a row, unless a row has that name. */
    static void insert(Connection connection, DatabaseProduct product, String table, String name, long id)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(insert(product, table))) {
            insert.setString(1, name);
            insert.setLong(2, id);
            insert.executeUpdate();
        } catch (SQLException e) {
            // Two concurrent MERGEs of H2 may both insert.
            if (product != DatabaseProduct.H2 || !SqlErrors.isDuplicateKey(e)) {
                throw e;
            }
        }
    }

    private static String insert(DatabaseProduct product, String table) {
        return switch (product) {
            case MYSQL, MARIADB -> "INSERT IGNORE INTO " + table + " (name, id) VALUES (?, ?)";
            case POSTGRESQL -> "INSERT INTO " + table + " (name, id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";
            case H2 ->
                "MERGE INTO " + table
                        + " t USING (VALUES (CAST(? AS VARCHAR), CAST(? AS BIGINT))) v (name, id) ON t.name = v.name"
                        + " WHEN NOT MATCHED THEN INSERT (name, id) VALUES (v.name, v.id)";
        };
    }
}
