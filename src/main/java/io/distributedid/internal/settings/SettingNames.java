package io.distributedid.internal.settings;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Refuses unknown settings, and finds the known name that is nearest to a misspelt one. */
public final class SettingNames {

    private static final String SEQUENCE_PREFIX = DistributedIdSettings.SEQUENCE_PREFIX;

    private SettingNames() {}

    /** Throws at the first of the {@code names}, as the user wrote them, that is not known. */
    public static void check(Set<String> names, Set<String> known) {
        for (String written : new TreeSet<>(names)) {
            String general = general(written);
            if (!known.contains(general)) {
                int tail = general.length() - DistributedIdSettings.PREFIX.length();
                String prefix = written.substring(0, written.length() - tail);
                String nearest = nearest(general, known).substring(DistributedIdSettings.PREFIX.length());
                throw new IdConfigurationException("There is no such setting: " + written + ". Is it " + prefix
                        + nearest + "? All settings: " + new TreeSet<>(known));
            }
        }
    }

    /** Turns {@code distributedid.seq.photos.ticket.table} into {@code distributedid.ticket.table}. */
    public static String general(String written) {
        int dot = written.startsWith(SEQUENCE_PREFIX) ? written.indexOf('.', SEQUENCE_PREFIX.length()) : -1;
        return dot < 0 ? written : DistributedIdSettings.PREFIX + written.substring(dot + 1);
    }

    private static String nearest(String name, Set<String> known) {
        return known.stream()
                .min(Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
    }

    /** The known name that is most like one that was perhaps misspelt; empty if none is much like it. */
    public static Optional<String> near(String name, Set<String> known) {
        return known.isEmpty()
                ? Optional.empty()
                : Optional.of(nearest(name, known))
                        .filter(each -> distance(name, each) <= Math.max(2, name.length() / 3));
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
