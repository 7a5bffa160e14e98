package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The last ids of the servers of a sequence, as a table. */
final class CounterReport {

    private static final String ID = "id=";

    private static final Pattern TOKEN = Pattern.compile("\\btoken=([^\\s,]+)");

    private CounterReport() {}

    /** The tokens in the records of the servers that answer. More than one if they do not belong together. */
    static Set<String> tokens(List<CheckResult> results) {
        return results.stream()
                .filter(result ->
                        result.what().equals("record") || result.what().equals("ledger"))
                .map(result -> TOKEN.matcher(result.detail()))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The last id of each server that answers, even if the sequence could not be opened. "-" if there is none yet. */
    static Map<String, String> last(List<CheckResult> results) {
        Map<String, String> last = new LinkedHashMap<>();
        for (CheckResult result : results) {
            if (result.what().equals("counter") && result.status() == CheckResult.Status.OK) {
                boolean isThere = result.detail().startsWith(ID);
                last.putIfAbsent(result.server(), isThere ? result.detail().substring(ID.length()) : "-");
            }
        }
        return last;
    }

    /** The number in a result of {@link #last}; 0 if there is none yet. */
    static long id(String last) {
        return last.equals("-") ? 0 : Long.parseLong(last);
    }

    static Map<String, String> last(DistributedIds ids, String sequence) {
        return last(ids.check(sequence));
    }

    static void print(Map<String, ?> before, Map<String, ?> now, PrintWriter out) {
        TextTable counters = new TextTable("SERVER", "LAST ID BEFORE", "LAST ID NOW");
        new TreeMap<>(now)
                .forEach((server, last) -> counters.add(
                        server,
                        before.containsKey(server) ? String.valueOf(before.get(server)) : "-",
                        String.valueOf(last)));
        counters.print(out);
    }

    static void print(Map<String, ?> now, PrintWriter out) {
        TextTable counters = new TextTable("SERVER", "LAST ID");
        new TreeMap<>(now).forEach((server, last) -> counters.add(server, String.valueOf(last)));
        counters.print(out);
    }

    /** The largest of the last ids; 0 if there is none. */
    static long highest(Map<String, Long> last) {
        return last.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
