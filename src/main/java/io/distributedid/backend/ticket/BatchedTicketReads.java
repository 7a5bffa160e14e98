package io.distributedid.backend.ticket;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Reads records and engines of several ticket tables: a query for each schema. Immutable. */
final class BatchedTicketReads {

    /** Those that have a record, by its table. */
    private final Map<String, List<BatchedTicket>> records;

    private final Map<String, List<BatchedTicket>> schemas;

    BatchedTicketReads(List<BatchedTicket> tickets) {
        records = by(tickets, BatchedTicket::record);
        records.remove("");
        schemas = by(tickets, each -> each.statements().schema());
    }

    private static Map<String, List<BatchedTicket>> by(
            List<BatchedTicket> tickets, Function<BatchedTicket, String> text) {
        Map<String, List<BatchedTicket>> groups = new LinkedHashMap<>();
        tickets.forEach(each -> groups.computeIfAbsent(text.apply(each), first -> new ArrayList<>())
                .add(each));
        return groups;
    }

    /** The results of these queries are those for {@link #unfound} and {@link #changed}. */
    List<String> generations(UnaryOperator<String> tableReference, String end) {
        List<String> queries = new ArrayList<>();
        records.forEach((record, some) -> queries.add("SELECT counter, generation FROM " + tableReference.apply(record)
                + " WHERE counter IN " + list(some, BatchedTicket::key) + " AND server = 0" + end));
        return queries;
    }

    /** Those whose records the queries did not find. */
    Set<BatchedTicket> unfound(List<List<List<Object>>> results) {
        Set<BatchedTicket> unfound = new LinkedHashSet<>();
        generations(results).forEach((ticket, row) -> {
            if (row.isEmpty()) {
                unfound.add(ticket);
            }
        });
        return unfound;
    }

    /** Those whose records have another generation than expected. */
    Set<BatchedTicket> changed(List<List<List<Object>>> results) {
        Set<BatchedTicket> changed = new LinkedHashSet<>();
        generations(results).forEach((ticket, row) -> {
            if (!row.isEmpty()
                    && !MySqlTicketStatements.isCurrent(ticket.draw().fence().orElseThrow(), row)) {
                changed.add(ticket);
            }
        });
        return changed;
    }

    private Map<BatchedTicket, List<Object>> generations(List<List<List<Object>>> results) {
        Map<BatchedTicket, List<Object>> found = new LinkedHashMap<>();
        int result = 0;
        for (List<BatchedTicket> some : records.values()) {
            Map<String, List<Object>> byKey = new HashMap<>();
            results.get(result++).forEach(row -> byKey.put(String.valueOf(row.get(0)), row.subList(1, 2)));
            some.forEach(each -> found.put(each, byKey.getOrDefault(each.key(), List.of())));
        }
        return found;
    }

    /** The results of these queries are those for {@link #hadRow}. */
    List<String> recorded() {
        List<String> queries = new ArrayList<>();
        records.values()
                .forEach(some -> some.forEach(each -> queries.add(
                        each.statements().recorded(each.draw().fence().orElseThrow()))));
        return queries;
    }

    /** Those whose records say that they gave ids. */
    Set<BatchedTicket> hadRow(List<List<List<Object>>> results) throws SQLException {
        Set<BatchedTicket> had = new LinkedHashSet<>();
        int result = 0;
        for (List<BatchedTicket> some : records.values()) {
            for (BatchedTicket each : some) {
                List<List<Object>> rows = results.get(result++);
                if (!rows.isEmpty() && each.statements().hadRow(rows.get(0))) {
                    had.add(each);
                }
            }
        }
        return had;
    }

    List<String> engines() {
        List<String> queries = new ArrayList<>();
        schemas.forEach((schema, some) -> queries.add("SELECT TABLE_NAME, ENGINE FROM information_schema.TABLES WHERE"
                + " TABLE_SCHEMA = " + schema + " AND TABLE_NAME IN "
                + list(some, each -> each.statements().unqualified())));
        return queries;
    }

    /** Those that are missing or no InnoDB tables. A server may ignore the case of their names. */
    Set<BatchedTicket> notInnoDb(List<List<List<Object>>> results) {
        Set<BatchedTicket> others = new LinkedHashSet<>();
        int result = 0;
        for (List<BatchedTicket> some : schemas.values()) {
            Set<String> good = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            Set<String> bad = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            for (List<Object> row : results.get(result++)) {
                boolean isInnoDb = "InnoDB".equalsIgnoreCase(String.valueOf(row.get(1)));
                (isInnoDb ? good : bad).add(String.valueOf(row.get(0)));
            }
            for (BatchedTicket each : some) {
                String name = each.statements().unqualified();
                if (!good.contains(name) || bad.contains(name)) {
                    others.add(each);
                }
            }
        }
        return others;
    }

    private static String list(List<BatchedTicket> tickets, Function<BatchedTicket, String> text) {
        return tickets.stream().map(text).collect(Collectors.joining("', '", "('", "')"));
    }
}
