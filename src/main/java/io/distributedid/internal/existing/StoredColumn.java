package io.distributedid.internal.existing;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A column as the database defines it, not the mapping: {@code SELECT id FROM photo WHERE 1 = 0}. Names have no quotes.
 * The catalog and the schema are null if the driver returns none.
 *
 * @param type one of {@link Types}
 */
record StoredColumn(
        int type,
        String typeName,
        @Nullable String catalog,
        @Nullable String schema,
        String table,
        String column) {

    private static final Set<Integer> TEXTS = Set.of(
            Types.CHAR,
            Types.VARCHAR,
            Types.LONGVARCHAR,
            Types.NCHAR,
            Types.NVARCHAR,
            Types.LONGNVARCHAR,
            Types.CLOB,
            Types.NCLOB);

    private static final Set<Integer> NUMBERS = Set.of(
            Types.BIGINT,
            Types.INTEGER,
            Types.SMALLINT,
            Types.TINYINT,
            Types.NUMERIC,
            Types.DECIMAL,
            Types.DOUBLE,
            Types.FLOAT,
            Types.REAL);

    /** Empty if the table is missing. */
    static Optional<StoredColumn> of(Connection connection, String table, String column) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery("SELECT " + column + " FROM " + table + " WHERE 1 = 0")) {
            ResultSetMetaData found = none.getMetaData();
            AutoIncrementColumns.Place written = AutoIncrementColumns.Place.of(table, column);
            return Optional.of(new StoredColumn(
                    found.getColumnType(1),
                    found.getColumnTypeName(1),
                    name(found.getCatalogName(1)),
                    name(found.getSchemaName(1)),
                    Optional.ofNullable(name(found.getTableName(1))).orElse(written.table()),
                    Optional.ofNullable(name(found.getColumnName(1))).orElse(written.column())));
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Drivers return "" if they don't know a name, but {@code getIndexInfo} reads "" as "without a schema". */
    private static @Nullable String name(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    boolean isText() {
        return TEXTS.contains(type);
    }

    boolean isNumber() {
        return NUMBERS.contains(type);
    }

    /** Whether an index begins with the column, so that MAX reads one entry. {@code tableSql} is as in SQL. */
    boolean leadsAnIndex(Connection connection, String tableSql) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        String namespace = schema == null ? schema(connection, tableSql) : schema;
        try (ResultSet key = metaData.getPrimaryKeys(catalog, namespace, table)) {
            while (key.next()) {
                if (key.getInt("KEY_SEQ") == 1 && column.equalsIgnoreCase(key.getString("COLUMN_NAME"))) {
                    return true;
                }
            }
        }
        // Approximate: otherwise Oracle's driver counts the rows, and H2's driver the values.
        try (ResultSet index = metaData.getIndexInfo(catalog, namespace, table, false, true)) {
            while (index.next()) {
                if (index.getInt("ORDINAL_POSITION") == 1
                        && column.equalsIgnoreCase(index.getString("COLUMN_NAME"))
                        && name(index.getString("FILTER_CONDITION")) == null
                        && isOrdered(index.getShort("TYPE"))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** PostgreSQL's driver returns no schema, and without one it searches every schema. */
    private static @Nullable String schema(Connection connection, String tableSql) throws SQLException {
        if (DatabaseProduct.find(connection).orElse(null) != DatabaseProduct.POSTGRESQL) {
            return null;
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT nspname FROM pg_namespace WHERE oid ="
                + " (SELECT relnamespace FROM pg_class WHERE oid = CAST(? AS regclass))")) {
            query.setString(1, tableSql);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    private static boolean isOrdered(short type) {
        return !List.of(DatabaseMetaData.tableIndexStatistic, DatabaseMetaData.tableIndexHashed)
                .contains(type);
    }
}
