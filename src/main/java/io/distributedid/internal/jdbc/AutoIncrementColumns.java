package io.distributedid.internal.jdbc;

import io.distributedid.CheckResult;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds columns that the database numbers by itself: AUTO_INCREMENT, IDENTITY, or the DEFAULT of a {@code serial}
 * column. After the cut-over to a sequence such a column still numbers the rows of every INSERT without id, for example
 * by an instance of before the cut-over, and the sequence gives the same number later.
 *
 * <p>One query for any number of tables, here on MySQL:
 *
 * <pre>
 * SELECT table_schema, table_name, column_name, column_type FROM information_schema.columns
 *     WHERE extra LIKE '%auto_increment%' AND table_name IN ('photo', ...)
 * </pre>
 */
public final class AutoIncrementColumns {

    private AutoIncrementColumns() {}

    /**
     * A column of ids.
     *
     * @param namespace the schema, on MySQL the database, without quotes; empty for that of the connection
     * @param table without quotes and schema
     * @param column without quotes
     * @param tableSql as in SQL
     * @param columnSql as in SQL
     */
    public record Place(Optional<String> namespace, String table, String column, String tableSql, String columnSql) {

        /**
         * A column by what is written in SQL.
         *
         * @param table perhaps quoted and with its schema
         * @param column perhaps quoted
         * @return the place
         */
        public static Place of(String table, String column) {
            String[] names = table.replaceAll("[`\"\\[\\]]", "").split("\\.", -1);
            return new Place(
                    names.length > 1 ? Optional.of(names[names.length - 2]) : Optional.empty(),
                    names[names.length - 1],
                    column.replaceAll("[`\"\\[\\]]", ""),
                    table,
                    column);
        }
    }

    /**
     * A column that the database numbers.
     *
     * @param how AUTO_INCREMENT, IDENTITY or DEFAULT
     * @param alter the statement that ends it
     */
    public record AutoIncrement(String how, String alter) {}

    private record Row(String schema, String table, String column, String type, String how) {}

    /**
     * Looks at columns.
     *
     * @param connection to their database
     * @param places any number
     * @return those that the database numbers; none if it is no MySQL, MariaDB, PostgreSQL or H2
     * @throws SQLException if the database failed
     */
    public static Map<Place, AutoIncrement> find(Connection connection, Collection<Place> places) throws SQLException {
        Map<Place, AutoIncrement> found = new LinkedHashMap<>();
        Optional<DatabaseProduct> product = DatabaseProduct.find(connection);
        if (product.isEmpty() || places.isEmpty()) {
            return found;
        }
        List<Row> rows = rows(connection, product.get(), places);
        Set<String> current = current(connection, product.get());
        for (Place place : places) {
            rows.stream()
                    .filter(row -> row.table.equalsIgnoreCase(place.table) && row.column.equalsIgnoreCase(place.column))
                    .filter(row ->
                            place.namespace.map(row.schema::equalsIgnoreCase).orElse(current.contains(row.schema)))
                    .findFirst()
                    .ifPresent(row -> found.put(place, new AutoIncrement(row.how, alter(place, row))));
        }
        return found;
    }

    /**
     * Looks at one column, for a tool that an operator runs.
     *
     * @param connection to its database
     * @param server the database's label
     * @param place the column
     * @return what was found
     * @throws SQLException if the database failed
     */
    public static CheckResult check(Connection connection, String server, Place place) throws SQLException {
        AutoIncrement autoIncrement = find(connection, List.of(place)).get(place);
        return autoIncrement == null
                ? CheckResult.ok(
                        "id column", server, place.tableSql + "." + place.columnSql + " takes ids as they are given")
                : CheckResult.failed("id column", server, describe(place, autoIncrement));
    }

    /**
     * What is wrong, and what ends it.
     *
     * @param place the column
     * @param autoIncrement how the database numbers it
     * @return for a message
     */
    public static String describe(Place place, AutoIncrement autoIncrement) {
        return "The database still numbers the rows by itself: table=" + place.tableSql + " column=" + place.columnSql
                + " " + autoIncrement.how
                + ". An INSERT without id, as by an instance of before the cut-over, takes an id that the"
                + " sequence gives too. End it: " + autoIncrement.alter;
    }

    private static List<Row> rows(Connection connection, DatabaseProduct product, Collection<Place> places)
            throws SQLException {
        Set<String> tables = new LinkedHashSet<>();
        places.forEach(place -> tables.add(place.table.toLowerCase(Locale.ROOT)));
        String sql = "SELECT table_schema, table_name, column_name, " + columns(product)
                + " AND LOWER(table_name) IN (?" + ", ?".repeat(tables.size() - 1) + ")";
        List<Row> rows = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            int parameter = 1;
            for (String table : tables) {
                query.setString(parameter++, table);
            }
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    rows.add(new Row(
                            row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getString(5)));
                }
            }
        }
        return rows;
    }

    private static String columns(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB ->
                "column_type, 'AUTO_INCREMENT' FROM information_schema.columns WHERE extra LIKE '%auto_increment%'";
            case POSTGRESQL, H2 ->
                "data_type, CASE is_identity WHEN 'YES' THEN 'IDENTITY' ELSE 'DEFAULT' END FROM information_schema.columns"
                        + " WHERE (is_identity = 'YES' OR LOWER(column_default) LIKE 'nextval(%'"
                        + " OR LOWER(column_default) LIKE 'next value for %')";
        };
    }

    /** Where tables without a schema lie. */
    private static Set<String> current(Connection connection, DatabaseProduct product) throws SQLException {
        Set<String> current = new LinkedHashSet<>();
        String sql = switch (product) {
            case MYSQL, MARIADB -> "SELECT DATABASE()";
            case POSTGRESQL -> "SELECT UNNEST(CURRENT_SCHEMAS(FALSE))";
            case H2 -> "SELECT CURRENT_SCHEMA";
        };
        try (PreparedStatement query = connection.prepareStatement(sql);
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                current.add(String.valueOf(row.getString(1)));
            }
        }
        return current;
    }

    private static String alter(Place place, Row row) {
        String start = "ALTER TABLE " + place.tableSql;
        return switch (row.how) {
            case "AUTO_INCREMENT" ->
                start + " MODIFY " + place.columnSql + " " + row.type + " NOT NULL"
                        + " (where foreign keys refer to the column, SET foreign_key_checks = 0 in the same session first)";
            default -> start + " ALTER COLUMN " + place.columnSql + " DROP " + row.how;
        };
    }
}
