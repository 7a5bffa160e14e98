package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.DatabaseProduct;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares names such as {@code Photos} and {@code photos}, which one server takes for one sequence and another for
 * two. A move must not make one row of two sequences, nor two of one. The server compares, with the collation of its
 * column:
 *
 * <pre>
 * SELECT COUNT(*) FROM (SELECT name FROM sequence WHERE 1 = 0 UNION SELECT ? UNION SELECT ?) names;
 * </pre>
 */
final class MoveNames {

    private record Pair(String first, String second) {}

    private MoveNames() {}

    /** Refuses a move if the old and new servers compare two names differently. */
    static void require(List<MoveServer> all, List<MoveServer> inUse) throws SQLException {
        for (Pair pair : alike(all)) {
            for (MoveServer old : inUse) {
                boolean areOne = areOne(old, pair);
                for (MoveServer next : all) {
                    if (next.next().isPresent() && areOne(next, pair) != areOne) {
                        throw notSame(old, next, pair, areOne);
                    }
                }
            }
        }
    }

    private static IdConfigurationException notSame(MoveServer old, MoveServer next, Pair pair, boolean areOne) {
        return new IdConfigurationException("Two names must be " + (areOne ? "one sequence" : "two sequences")
                + " on all servers: table=" + next.table() + " names=" + List.of(pair.first, pair.second)
                + ", true on " + old.label() + ", but not on " + next.label()
                + ". Create the table there with a column 'name' that "
                + (areOne
                        ? "ignores case too, or use only one of the names"
                        : "distinguishes upper and lower case (MySQL: COLLATE utf8mb4_bin)"));
    }

    /** Gives the larger value to names that are one sequence. */
    static void merge(List<MoveServer> all, Map<String, Long> largest) throws SQLException {
        MoveServer next = all.stream()
                .filter(server -> server.next().isPresent())
                .findFirst()
                .orElseThrow();
        for (Pair pair : alike(largest.keySet())) {
            if (areOne(next, pair)) {
                long larger = Math.max(largest.getOrDefault(pair.first, 0L), largest.getOrDefault(pair.second, 0L));
                largest.put(pair.first, larger);
                largest.put(pair.second, larger);
            }
        }
    }

    private static List<Pair> alike(List<MoveServer> all) throws SQLException {
        TreeSet<String> names = new TreeSet<>();
        for (MoveServer server : all) {
            names.addAll(server.last().keySet());
            names.addAll(server.recorded().keySet());
        }
        return alike(names);
    }

    /** Pairs that may be equal to a server: the same letters and digits, or a name with other than ASCII characters. */
    private static List<Pair> alike(Set<String> names) {
        Map<String, List<String>> byLetters = new HashMap<>();
        List<Pair> pairs = new ArrayList<>();
        for (String name : names) {
            String letters = isAscii(name) ? letters(name) : "";
            for (String other : byLetters.getOrDefault(letters, List.of())) {
                pairs.add(new Pair(other, name));
            }
            byLetters.computeIfAbsent(letters, key -> new ArrayList<>()).add(name);
        }
        List<String> rest = byLetters.remove("");
        if (rest != null) {
            byLetters.values().stream()
                    .flatMap(List::stream)
                    .forEach(name -> rest.forEach(other -> pairs.add(new Pair(other, name))));
        }
        return pairs;
    }

    private static boolean isAscii(String name) {
        return name.chars().allMatch(c -> c < 128);
    }

    private static String letters(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    /** Whether the server takes two names for one. */
    static boolean areOne(MoveServer server, String first, String second) throws SQLException {
        return areOne(server, new Pair(first, second));
    }

    private static boolean areOne(MoveServer server, Pair pair) throws SQLException {
        String like = "?";
        String column = "SELECT name FROM " + server.table() + " WHERE 1 = 0 UNION ";
        if (!server.hasTable()) {
            column = "";
            like = asInNewColumn(server);
        }
        try (PreparedStatement select = server.connection()
                .prepareStatement("SELECT COUNT(*) FROM (" + column + "SELECT " + like + " AS name UNION SELECT " + like
                        + ") names")) {
            select.setString(1, pair.first);
            select.setString(2, pair.second);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1) == 1;
            }
        }
    }

    /** A parameter with the type and collation that the column of a new table will have. */
    private static String asInNewColumn(MoveServer server) throws SQLException {
        if (server.product() != DatabaseProduct.MYSQL && server.product() != DatabaseProduct.MARIADB) {
            return "CAST(? AS VARCHAR(50))";
        }
        int dot = server.table().lastIndexOf('.');
        String schema = dot < 0 ? "DATABASE()" : "'" + server.table().substring(0, dot) + "'";
        try (PreparedStatement select = server.connection()
                        .prepareStatement("SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME"
                                + " FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = " + schema);
                ResultSet row = select.executeQuery()) {
            return row.next() ? "CONVERT(? USING " + row.getString(1) + ") COLLATE " + row.getString(2) : "?";
        }
    }
}
