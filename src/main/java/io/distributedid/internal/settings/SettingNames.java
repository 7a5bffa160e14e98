package io.distributedid.internal.settings;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses unknown settings, and names the one that was probably meant; all of them if none is close. Finds the nearest
 * of other names too.
 */
public final class SettingNames {

    private static final String SEQUENCE_PREFIX = Setting.SEQUENCE_PREFIX;

    private SettingNames() {}

    /** Throws at the first of the {@code names}, as the user wrote them, that is not known. */
    public static void check(Set<String> names, Set<String> known) {
        for (String written : new TreeSet<>(names)) {
            String general = general(written);
            if (!known.contains(general)) {
                int tail = general.length() - Setting.PREFIX.length();
                String prefix = written.substring(0, written.length() - tail);
                throw new IdConfigurationException("There is no such setting: " + written + ". "
                        + meant(general.substring(general.length() - tail), names(known))
                                .map(name -> "Did you mean " + prefix + name + "?")
                                .orElse("All settings: " + new TreeSet<>(known)));
            }
        }
    }

    /** Turns {@code distributedid.seq.photos.ticket.table} into {@code distributedid.ticket.table}. */
    public static String general(String written) {
        int dot = written.startsWith(SEQUENCE_PREFIX) ? written.indexOf('.', SEQUENCE_PREFIX.length()) : -1;
        return dot < 0 ? written : Setting.PREFIX + written.substring(dot + 1);
    }

    /** The names without the prefix. */
    private static List<String> names(Set<String> known) {
        return known.stream()
                .map(name -> name.substring(Setting.PREFIX.length()))
                .sorted()
                .toList();
    }

    /**
     * The known name that differs in few characters, the one that all backends share ({@code timeout} instead of
     * {@code timeout}), or the one that has parts in front that were left out.
     */
    private static Optional<String> meant(String name, List<String> known) {
        List<String> shared =
                known.stream().filter(each -> each.indexOf('.') < 0).toList();
        return nearest(name, known, 0)
                .or(() -> nearest(name.substring(name.lastIndexOf('.') + 1), shared, 0))
                .or(() -> nearest(name, known, name.length() / 4))
                .or(() ->
                        known.stream().filter(each -> each.endsWith("." + name)).findFirst());
    }

    /** The known name that is most like one that was perhaps misspelt; empty if none is much like it. */
    public static Optional<String> near(String name, Set<String> known) {
        return nearest(name, new TreeSet<>(known), name.length() / 3);
    }

    /** The first of those that differ least, in two characters or {@code most}. */
    private static Optional<String> nearest(String name, Collection<String> known, int most) {
        return known.stream()
                .min(Comparator.comparingInt(each -> distance(name, each)))
                .filter(each -> distance(name, each) <= Math.max(2, most));
    }

    /** Levenshtein's distance: the fewest characters to insert, delete or replace. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
