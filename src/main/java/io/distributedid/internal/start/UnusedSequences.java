package io.distributedid.internal.start;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Settings of sequences that no entity uses. The name may be misspelt, and the entity then gets its ids by the settings
 * of all sequences. By default that is a warning, since an application may use a sequence without an entity.
 */
public final class UnusedSequences {

    private static final Logger LOG = System.getLogger(UnusedSequences.class.getName());

    private UnusedSequences() {}

    /**
     * Compares the sequences of the settings with those of the entities.
     *
     * @throws IdConfigurationException if one is not used, and {@code distributedid.unused_sequences} says so
     */
    public static void check(Settings settings, Set<String> used) {
        List<String> warned = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (String sequence : settings.sequences()) {
            CoreSettings.UnusedSequences choice = settings.forSequence(sequence).get(CoreSettings.UNUSED_SEQUENCES);
            if (!used.contains(sequence)
                    && !isKeyed(settings, sequence)
                    && choice != CoreSettings.UnusedSequences.IGNORE) {
                (choice == CoreSettings.UnusedSequences.REFUSE ? refused : warned).add(sequence);
            }
        }
        if (!warned.isEmpty()) {
            LOG.log(Level.WARNING, message(warned, used));
        }
        if (!refused.isEmpty()) {
            throw new IdConfigurationException(message(refused, used));
        }
    }

    /** Whether it has settings of numbers per key alone, which no entity needs. */
    private static boolean isKeyed(Settings settings, String sequence) {
        String own = Setting.SEQUENCE_PREFIX + sequence + ".";
        return settings.asMap().keySet().stream()
                .filter(name -> name.startsWith(own))
                .allMatch(name -> name.startsWith(own + "keyed."));
    }

    private static String message(List<String> unused, Set<String> used) {
        String names = unused.stream()
                .map(name -> "seq=" + name
                        + SettingNames.near(name, used)
                                .map(near -> " (did you mean " + near + "?)")
                                .orElse(""))
                .collect(Collectors.joining(", "));
        boolean allAreNear =
                unused.stream().allMatch(name -> SettingNames.near(name, used).isPresent());
        String example = Setting.SEQUENCE_PREFIX + unused.get(0);
        return "There are settings for sequences that no entity uses: " + names
                + (allAreNear ? "" : ". Entities use: " + used) + ". Correct the name in " + example
                + ".*, or, if the application uses the sequence without an entity, set " + example
                + ".unused_sequences=ignore";
    }
}
