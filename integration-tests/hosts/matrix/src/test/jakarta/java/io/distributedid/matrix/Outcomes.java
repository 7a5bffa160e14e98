package io.distributedid.matrix;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;

/** How the cases of this run ended: by group, in the order of the test classes, and by name. */
final class Outcomes {

    static final String WORKS = "yes";

    private static final Map<Integer, Map<String, String>> GROUPS = new TreeMap<>();

    private Outcomes() {}

    static void record(Class<?> group, String name, String outcome) {
        String before = GROUPS.computeIfAbsent(group.getAnnotation(Order.class).value(), any -> new TreeMap<>())
                .putIfAbsent(name, outcome);
        if (before != null) {
            throw new AssertionError("two cases are named alike: " + name);
        }
    }

    /** Outcomes by name, group after group. */
    static Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        GROUPS.values().forEach(all::putAll);
        return all;
    }
}
