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
 * Finds the columns that hold whole numbers and lead an index that gives their order. One or two queries for all tables
 * of a schema, here on MySQL, where a join of the two would take a second for 500 tables:
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
final class IndexedNumbers {

    private IndexedNumbers() {}

    private record Name(String table, String column) {

        static Name of(String table, String column) {
            return new Name(lower(table), lower(column));
        }
    }

    /** The columns among these, in the same order. */
    static List<IdColumn> among(Connection connection, DatabaseProduct product, Collection<IdColumn> columns)
            throws SQLException {
        Map<Optional<String>, Set<String>> tables = new LinkedHashMap<>();
        for (IdColumn column : columns) {
            Place place = place(column);
            tables.computeIfAbsent(place.namespace(), namespace -> new TreeSet<>())
                    .add(lower(place.table()));
        }
        Map<Optional<String>, Set<Name>> found = new LinkedHashMap<>();
        for (Map.Entry<Optional<String>, Set<String>> each : tables.entrySet()) {
            found.put(each.getKey(), in(connection, product, each.getKey(), each.getValue()));
        }
        List<IdColumn> among = new ArrayList<>();
        for (IdColumn column : columns) {
            Place place = place(column);
            if (found.getOrDefault(place.namespace(), Set.of()).contains(Name.of(place.table(), place.column()))) {
                among.add(column);
            }
        }
        return among;
    }

    private static Place place(IdColumn column) {
        return Place.of(column.table(), column.column());
    }

    /** The columns that all queries find. */
    private static Set<Name> in(
            Connection connection, DatabaseProduct product, Optional<String> namespace, Set<String> tables)
            throws SQLException {
        List<String> parameters = new ArrayList<>();
        namespace.ifPresent(parameters::add);
        parameters.addAll(tables);
        String among = " " + InList.of(tables.size());
        List<Set<Name>> found = new ArrayList<>();
        for (String sql : queries(product, namespace.isPresent())) {
            found.add(names(connection, sql + among, parameters));
        }
        Set<Name> names = found.get(0);
        found.subList(1, found.size()).forEach(names::retainAll);
        return names;
    }

    private static Set<Name> names(Connection connection, String sql, List<String> parameters) throws SQLException {
        Set<Name> names = new HashSet<>();
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            InList.set(query, 0, parameters);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    names.add(Name.of(row.getString(1), row.getString(2)));
                }
            }
        }
        return names;
    }

    /** Without types whose union with a BIGINT loses digits, and without those that drivers take for BIT. */
    private static List<String> queries(DatabaseProduct product, boolean inNamespace) {
        return switch (product) {
            case MYSQL, MARIADB -> {
                String names = " AND table_schema = " + (inNamespace ? "?" : "DATABASE()") + " AND LOWER(table_name)";
                yield List.of(
                        "SELECT table_name, column_name FROM information_schema.statistics"
                                + " WHERE seq_in_index = 1 AND index_type = 'BTREE'" + names,
                        "SELECT table_name, column_name FROM information_schema.columns"
                                + " WHERE (data_type IN ('smallint', 'mediumint', 'int', 'bigint')"
                                + " OR data_type = 'decimal' AND numeric_scale = 0)" + names);
            }
            case POSTGRESQL ->
                List.of("SELECT t.relname, a.attname FROM pg_index i"
                        + " JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace"
                        + " JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam"
                        + " JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]"
                        + " WHERE m.amname = 'btree' AND i.indisvalid AND i.indpred IS NULL"
                        + " AND a.atttypid IN (CAST('int2' AS regtype), CAST('int4' AS regtype),"
                        + " CAST('int8' AS regtype), CAST('numeric' AS regtype))"
                        + " AND " + (inNamespace ? "LOWER(n.nspname) = LOWER(?)" : "pg_table_is_visible(t.oid)")
                        + " AND LOWER(t.relname)");
            case H2 -> {
                String names =
                        " AND " + (inNamespace ? "LOWER(table_schema) = LOWER(?)" : "table_schema = CURRENT_SCHEMA")
                                + " AND LOWER(table_name)";
                yield List.of(
                        "SELECT table_name, column_name FROM information_schema.index_columns"
                                + " WHERE ordinal_position = 1 AND (index_schema, index_name) IN"
                                + " (SELECT index_schema, index_name FROM information_schema.indexes"
                                + " WHERE index_type_name NOT LIKE '%HASH%' AND index_type_name NOT LIKE '%SPATIAL%')"
                                + names,
                        "SELECT table_name, column_name FROM information_schema.columns"
                                + " WHERE (data_type IN ('SMALLINT', 'INTEGER', 'BIGINT')"
                                + " OR data_type = 'NUMERIC' AND numeric_scale = 0)" + names);
            }
        };
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
