package io.distributedid.backend.ticket;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A query of {@code information_schema.TABLES} for several ticket tables of one schema on MySQL or MariaDB. */
final class SchemaQuery {

    private SchemaQuery() {}

    /** {@code tables} is not empty. */
    static String of(String column, List<TicketTable> tables) {
        return "SELECT TABLE_NAME, " + column + " FROM information_schema.TABLES WHERE TABLE_SCHEMA = "
                + tables.get(0).schema() + " AND TABLE_NAME IN "
                + tables.stream().map(TicketTable::unqualified).collect(Collectors.joining("', '", "('", "')"));
    }

    /**
     * The rows of the query, by name. A server may ignore the case of names, or find tables whose names differ only in
     * case: then a name has several rows.
     */
    static Map<String, List<List<Object>>> byName(List<List<Object>> rows) {
        Map<String, List<List<Object>>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        rows.forEach(row -> byName.computeIfAbsent(String.valueOf(row.get(0)), name -> new ArrayList<>())
                .add(row));
        return byName;
    }
}
