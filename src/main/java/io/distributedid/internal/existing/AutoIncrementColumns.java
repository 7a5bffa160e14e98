package io.distributedid.internal.existing;

import io.distributedid.CheckResult;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.process.Pages;
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
import java.util.regex.Pattern;

/**
 * Finds columns whose ids the database generates: AUTO_INCREMENT, IDENTITY, or the DEFAULT of a {@code serial} column.
 * After the cut-over to a sequence the database still generates the id of every INSERT without id, for example from an
 * instance that runs the old version. The sequence gives the same id later.
 *
 * <p>One query for all tables, here on MySQL:
 *
 * <pre>
 * SELECT table_schema, table_name, column_name, column_type, 'AUTO_INCREMENT', table_schema = DATABASE()
 *     FROM information_schema.columns
 *     WHERE extra LIKE '%auto_increment%' AND table_schema IN (DATABASE(), ...)
 *     AND LOWER(table_name) IN ('photo', ...)
 * </pre>
 */
public final class AutoIncrementColumns {

    private static final Pattern QUOTES = Pattern.compile("[`\"\\[\\]]");

    private AutoIncrementColumns() {}

    /**
     * A column of ids. {@code tableSql} and {@code columnSql} are as written in SQL.
     *
     * @param namespace the schema, on MySQL the database, without quotes; empty for the connection's
     * @param table without quotes and schema
     * @param column without quotes
     */
    public record Place(Optional<String> namespace, String table, String column, String tableSql, String columnSql) {

        /** Parses names as written in SQL, perhaps quoted, the table perhaps with its schema. */
        public static Place of(String table, String column) {
            String[] names = QUOTES.matcher(table).replaceAll("").split("\\.", -1);
            return new Place(
                    names.length > 1 ? Optional.of(names[names.length - 2]) : Optional.empty(),
                    names[names.length - 1],
                    QUOTES.matcher(column).replaceAll(""),
                    table,
                    column);
        }
    }

    /**
     * How the database generates ids.
     *
     * @param how AUTO_INCREMENT, IDENTITY or DEFAULT
     * @param alter the statement that stops it
     */
    public record AutoIncrement(String how, String alter) {}

    /** @param isCurrent whether the connection looks up unqualified tables in the schema */
    private record Row(String schema, String table, String column, String type, String how, boolean isCurrent) {

        boolean is(Place place) {
            return table.equalsIgnoreCase(place.table)
                    && column.equalsIgnoreCase(place.column)
                    && place.namespace.map(schema::equalsIgnoreCase).orElse(isCurrent);
        }
    }

    /** The columns whose ids the database generates; empty if the {@link DatabaseProduct} is unknown. */
    public static Map<Place, AutoIncrement> find(Connection connection, Collection<Place> places) throws SQLException {
        Map<Place, AutoIncrement> found = new LinkedHashMap<>();
        Optional<DatabaseProduct> product = DatabaseProduct.find(connection);
        if (product.isEmpty() || places.isEmpty()) {
            return found;
        }
        List<Row> rows = rows(connection, product.get(), places);
        for (Place place : places) {
            rows.stream()
                    .filter(row -> row.is(place))
                    .findFirst()
                    .ifPresent(row -> found.put(place, new AutoIncrement(row.how, alter(place, row))));
        }
        return found;
    }

    /** Checks one column, for the command-line tools. {@code server} is the database's label. */
    public static CheckResult check(Connection connection, String server, Place place) throws SQLException {
        AutoIncrement autoIncrement = find(connection, List.of(place)).get(place);
        return autoIncrement == null
                ? CheckResult.ok(
                        "id column", server, place.tableSql + "." + place.columnSql + " takes ids as they are given")
                : CheckResult.failed("id column", server, describe(place, autoIncrement));
    }

    /** The problem and its fix, for a message. */
    public static String describe(Place place, AutoIncrement autoIncrement) {
        return "The database still numbers the rows by itself: table=" + place.tableSql + " column=" + place.columnSql
                + " " + autoIncrement.how
                + ". An INSERT without id, for example by an instance from before the cut-over, takes an id that the"
                + " sequence issues too. To stop it: " + autoIncrement.alter + Pages.onCall("still-numbered");
    }

    private static List<Row> rows(Connection connection, DatabaseProduct product, Collection<Place> places)
            throws SQLException {
        Set<String> tables = new LinkedHashSet<>();
        places.forEach(place -> tables.add(place.table.toLowerCase(Locale.ROOT)));
        List<String> parameters = new ArrayList<>();
        String sql = "SELECT table_schema, table_name, column_name, " + columns(product);
        if (product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB) {
            // Without it the server reads the columns of all schemas.
            places.stream()
                    .flatMap(place -> place.namespace.stream())
                    .distinct()
                    .forEach(parameters::add);
            sql += " AND table_schema IN (DATABASE()" + ", ?".repeat(parameters.size()) + ")";
        }
        parameters.addAll(tables);
        sql += " AND LOWER(table_name) " + InList.of(tables.size());
        List<Row> rows = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            InList.set(query, 0, parameters);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    rows.add(new Row(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            row.getString(4),
                            row.getString(5),
                            row.getBoolean(6)));
                }
            }
        }
        return rows;
    }

    private static String columns(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB ->
                "column_type, 'AUTO_INCREMENT', table_schema = DATABASE() FROM information_schema.columns"
                        + " WHERE extra LIKE '%auto_increment%'";
            case POSTGRESQL -> standardColumns("= ANY (CURRENT_SCHEMAS(FALSE))");
            case H2 -> standardColumns("= CURRENT_SCHEMA");
        };
    }

    private static String standardColumns(String isCurrent) {
        return "data_type, CASE is_identity WHEN 'YES' THEN 'IDENTITY' ELSE 'DEFAULT' END, table_schema " + isCurrent
                + " FROM information_schema.columns WHERE (is_identity = 'YES'"
                + " OR LOWER(column_default) LIKE 'nextval(%' OR LOWER(column_default) LIKE 'next value for %')";
    }

    private static String alter(Place place, Row row) {
        String start = "ALTER TABLE " + place.tableSql;
        return switch (row.how) {
            case "AUTO_INCREMENT" ->
                start + " MODIFY " + place.columnSql + " " + row.type + " NOT NULL"
                        + " (where foreign keys refer to the column, SET foreign_key_checks = 0 in the same session"
                        + " first)";
            default -> start + " ALTER COLUMN " + place.columnSql + " DROP " + row.how;
        };
    }
}
