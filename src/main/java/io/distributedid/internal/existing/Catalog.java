package io.distributedid.internal.existing;

import io.distributedid.internal.existing.AutoIncrementColumns.Place;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells which columns lead an index that gives their order, and which hold whole numbers. Two queries for all tables of
 * a schema, here on MySQL, where a join of the two would take a second for 500 tables:
 *
 * <pre>
 * SELECT table_name, column_name FROM information_schema.statistics
 *     WHERE seq_in_index = 1 AND index_type = 'BTREE'
 *     AND table_schema = DATABASE() AND LOWER(table_name) IN ('photo', ...);
 * SELECT table_name, column_name FROM information_schema.columns
 *     WHERE data_type IN ('bigint', ...)
 *     AND table_schema = DATABASE() AND LOWER(table_name) IN ('photo', ...)
 * </pre>
 *
 * Names are compared without regard to case and quotes. So if the names of two tables differ only in case, the wrong
 * one may be found. Callers must tolerate a column that has another type or no index.
 */
final class Catalog {

    private record Name(Optional<String> namespace, String table, String column) {

        static Name of(Optional<String> namespace, String table, String column) {
            return new Name(namespace, lower(table), lower(column));
        }
    }

    private final Set<Name> leading = new HashSet<>();

    private final Set<Name> whole = new HashSet<>();

    private Catalog() {}

    static Catalog of(Connection connection, DatabaseProduct product, Collection<IdColumn> columns)
            throws SQLException {
        Map<Optional<String>, Set<String>> tables = new LinkedHashMap<>();
        for (IdColumn column : columns) {
            Place place = place(column);
            tables.computeIfAbsent(place.namespace(), namespace -> new TreeSet<>())
                    .add(lower(place.table()));
        }
        Catalog catalog = new Catalog();
        for (Map.Entry<Optional<String>, Set<String>> each : tables.entrySet()) {
            boolean inNamespace = each.getKey().isPresent();
            catalog.leading.addAll(
                    names(connection, leading(product) + in(product, inNamespace), each.getKey(), each.getValue()));
            catalog.whole.addAll(
                    names(connection, whole(product) + in(product, inNamespace), each.getKey(), each.getValue()));
        }
        return catalog;
    }

    private static Place place(IdColumn column) {
        return Place.of(column.table(), column.column());
    }

    /** Whether an index begins with the column, so that MAX reads one entry. */
    boolean leadsAnIndex(IdColumn column) {
        return isIn(leading, column);
    }

    /** Whether one query may read the column with others. */
    boolean isUsual(IdColumn column) {
        return leadsAnIndex(column) && isIn(whole, column);
    }

    private static boolean isIn(Set<Name> names, IdColumn column) {
        Place place = place(column);
        return names.contains(Name.of(place.namespace(), place.table(), place.column()));
    }

    private static Set<Name> names(Connection connection, String sql, Optional<String> namespace, Set<String> tables)
            throws SQLException {
        List<String> parameters = new ArrayList<>();
        namespace.ifPresent(parameters::add);
        parameters.addAll(tables);
        Set<Name> names = new HashSet<>();
        try (PreparedStatement query = connection.prepareStatement(sql + " " + InList.of(tables.size()))) {
            InList.set(query, 0, parameters);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    names.add(Name.of(namespace, row.getString(1), row.getString(2)));
                }
            }
        }
        return names;
    }

    private static String leading(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB ->
                "SELECT table_name, column_name FROM information_schema.statistics"
                        + " WHERE seq_in_index = 1 AND index_type = 'BTREE' AND column_name IS NOT NULL";
            case POSTGRESQL ->
                "SELECT t.relname, a.attname FROM pg_index i"
                        + " JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace"
                        + " JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam"
                        + " JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]"
                        + " WHERE m.amname = 'btree' AND i.indisvalid AND i.indpred IS NULL";
            case H2 ->
                "SELECT table_name, column_name FROM information_schema.index_columns"
                        + " WHERE ordinal_position = 1 AND (index_schema, index_name) IN"
                        + " (SELECT index_schema, index_name FROM information_schema.indexes"
                        + " WHERE index_type_name NOT LIKE '%HASH%' AND index_type_name NOT LIKE '%SPATIAL%')";
        };
    }

    /** Without types whose union with a BIGINT loses digits, and without those that drivers take for BIT. */
    private static String whole(DatabaseProduct product) {
        return switch (product) {
            case MYSQL, MARIADB ->
                "SELECT table_name, column_name FROM information_schema.columns"
                        + " WHERE (data_type IN ('smallint', 'mediumint', 'int', 'bigint')"
                        + " OR data_type = 'decimal' AND numeric_scale = 0)";
            case POSTGRESQL ->
                "SELECT t.relname, a.attname FROM pg_attribute a"
                        + " JOIN pg_class t ON t.oid = a.attrelid JOIN pg_namespace n ON n.oid = t.relnamespace"
                        + " WHERE a.atttypid IN (CAST('int2' AS regtype), CAST('int4' AS regtype),"
                        + " CAST('int8' AS regtype), CAST('numeric' AS regtype))";
            case H2 ->
                "SELECT table_name, column_name FROM information_schema.columns"
                        + " WHERE (data_type IN ('SMALLINT', 'INTEGER', 'BIGINT')"
                        + " OR data_type = 'NUMERIC' AND numeric_scale = 0)";
        };
    }

    private static String in(DatabaseProduct product, boolean inNamespace) {
        return switch (product) {
            case MYSQL, MARIADB ->
                " AND table_schema = " + (inNamespace ? "?" : "DATABASE()") + " AND LOWER(table_name)";
            case POSTGRESQL ->
                " AND " + (inNamespace ? "LOWER(n.nspname) = LOWER(?)" : "pg_table_is_visible(t.oid)")
                        + " AND LOWER(t.relname)";
            case H2 ->
                " AND " + (inNamespace ? "LOWER(table_schema) = LOWER(?)" : "table_schema = CURRENT_SCHEMA")
                        + " AND LOWER(table_name)";
        };
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
