package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The worker number of a command that takes ids. A fixed number in the settings belongs to the application, which may
 * be running: with it, the command would make the same ids. So the command leases a number as the application does, or
 * gets its own by {@code --worker}.
 */
final class ToolWorker {

    private static final Set<String> BACKENDS =
            Set.of("snowflake", "io.distributedid.backend.snowflake.SnowflakeBackendProvider");

    private static final Set<String> LEASED = Set.of("lease", "single_use", "exclusive");

    private ToolWorker() {}

    /** Whether the ids of a sequence hold a worker number. */
    static boolean isNeeded(CommandSettings configuration, String sequence) {
        return settings(configuration, sequence)
                .find(CoreSettings.BACKEND)
                .filter(BACKENDS::contains)
                .isPresent();
    }

    private static Settings settings(CommandSettings configuration, String sequence) {
        return Settings.of(configuration.values()).forSequence(sequence);
    }

    /**
     * Returns settings with which a command may take ids. {@code own} is the number of the command; null if not given.
     */
    static CommandSettings of(CommandSettings configuration, String sequence, @Nullable Long own) {
        Optional<String> set = settings(configuration, sequence).find(CoreSettings.SNOWFLAKE_WORKER);
        boolean needed = isNeeded(configuration, sequence);
        if (!needed || set.filter(LEASED::contains).isPresent()) {
            if (own != null) {
                throw new IdConfigurationException("--worker may only replace a fixed worker number: --worker="
                        + own + " SEQ=" + sequence
                        + (needed ? " " + setting(set) + ", which is leased for this command too" : "")
                        + ". Leave --worker out");
            }
            return configuration;
        }
        if (!hasWorker(settings(configuration, sequence))) {
            throw new IdConfigurationException(
                    "The numbers in these ids are the application's, and the command would make its ids a second time:"
                            + " SEQ="
                            + sequence + ", allowed: layouts with the field worker");
        }
        if (own == null && set.isEmpty()) {
            // Refused when the sequence is opened.
            return configuration;
        }
        if (own == null) {
            throw new IdConfigurationException(
                    "The worker number of the settings is the application's, and the command would make its ids a"
                            + " second time: " + setting(set) + " SEQ=" + sequence
                            + ", allowed: --worker=N with a number that no application has and no other command has"
                            + " now; or a leased number, with which the application runs too");
        }
        if (set.filter(own.toString()::equals).isPresent()) {
            throw new IdConfigurationException("The number of a command must be its own: --worker=" + own
                    + " is the application's, " + setting(set) + ", allowed: a number that no application has");
        }
        return new CommandSettings(settings(configuration.values(), sequence, own));
    }

    private static boolean hasWorker(Settings settings) {
        return LayoutParser.of(settings, InstantSource.system().instant()).has(IdField.WORKER);
    }

    private static String setting(Optional<String> worker) {
        return "distributedid.snowflake.worker=" + worker.orElse("");
    }

    /** Removes the state file, which belongs to the application's number. */
    private static Map<String, Object> settings(Map<String, Object> all, String sequence, long own) {
        Map<String, Object> settings = new LinkedHashMap<>(all);
        settings.remove("distributedid.snowflake.state_file");
        settings.remove(ofSequence("distributedid.snowflake.state_file", sequence));
        settings.put(ofSequence("distributedid.snowflake.worker", sequence), Long.toString(own));
        return settings;
    }

    private static String ofSequence(String setting, String sequence) {
        return Setting.SEQUENCE_PREFIX + sequence + "." + setting.substring(Setting.PREFIX.length());
    }
}
