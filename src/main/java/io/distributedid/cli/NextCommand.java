package io.distributedid.cli;

import io.distributedid.DistributedIds;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes ids and prints them. */
@Command(
        name = "next",
        description = {
            "Take ids of a sequence and print them, one on each line.",
            "These ids are used up, and perhaps some more that were reserved with them."
        },
        footer = {"", "Example:", "  distributedid next photos --count 3 --config ids.properties"})
final class NextCommand extends SequenceCommand {

    private static final Set<String> BACKENDS =
            Set.of("snowflake", "io.distributedid.backend.snowflake.SnowflakeBackendProvider");

    private static final Set<String> LEASED = Set.of("lease", "single_use", "exclusive");

    @Option(names = "--count", paramLabel = "N", description = "How many, 1 or more. Default: 1.")
    private long count = 1;

    @Option(names = "--shard", paramLabel = "N", description = "The shard of the rows, for sequences with shard.from.")
    private @Nullable Long shard;

    @Option(
            names = "--worker",
            paramLabel = "N",
            description =
                    "The worker number of this command, if the settings give the application a fixed one: a number that"
                            + " no application has, and no other command at the same time.")
    private @Nullable Long worker;

    @Override
    public Integer call() {
        if (count < 1) {
            throw new IdConfigurationException(
                    "One id or more must be asked for: --count=" + count + ", allowed: 1 or more");
        }
        try (DistributedIds ids = settings(options().read()).open()) {
            for (long i = 0; i < count; i++) {
                out().println(shard == null ? ids.next(sequence) : ids.nextOnShard(sequence, shard));
            }
            return 0;
        }
    }

    /**
     * The settings with which this command may take ids. A fixed worker number in the settings belongs to the
     * application, which may be running: with it, the command would make the same ids. So the command leases a number
     * as the application does, or gets its own by {@code --worker}.
     */
    private CommandSettings settings(CommandSettings configuration) {
        Long own = worker;
        Settings settings = Settings.of(configuration.values()).forSequence(sequence);
        Optional<String> set = settings.find(CoreSettings.SNOWFLAKE_WORKER);
        String setting = "distributedid.snowflake.worker=" + set.orElse("");
        boolean isNeeded =
                settings.find(CoreSettings.BACKEND).filter(BACKENDS::contains).isPresent();
        if (!isNeeded || set.filter(LEASED::contains).isPresent()) {
            if (own != null) {
                throw new IdConfigurationException("--worker may only replace a fixed worker number: --worker="
                        + own + " SEQ=" + sequence
                        + (isNeeded ? " " + setting + ", which is leased for this command too" : "")
                        + ". Leave --worker out");
            }
            return configuration;
        }
        if (!LayoutParser.of(settings, InstantSource.system().instant()).has(IdField.WORKER)) {
            throw new IdConfigurationException(
                    "These ids hold numbers of the application, so the command would repeat the application's ids: SEQ="
                            + sequence + ", allowed: layouts with the field worker");
        }
        if (own != null) {
            if (set.filter(own.toString()::equals).isPresent()) {
                throw new IdConfigurationException("The number of a command must be its own: --worker=" + own
                        + " is the application's, " + setting + ", allowed: a number that no application has");
            }
            return new CommandSettings(withNumber(configuration.values(), own));
        }
        if (set.isPresent()) {
            throw new IdConfigurationException(
                    "The worker number in the settings is the application's, so the command would repeat the"
                            + " application's ids: " + setting + " SEQ=" + sequence
                            + ", allowed: --worker=N with a number that no application has and no other command has"
                            + " now; or a leased number, for the application too");
        }
        // Refused when the sequence is opened.
        return configuration;
    }

    /** Removes the state file, which belongs to the application's number. */
    private Map<String, Object> withNumber(Map<String, Object> all, long own) {
        String prefix = Setting.SEQUENCE_PREFIX + sequence + ".snowflake.";
        Map<String, Object> settings = new LinkedHashMap<>(all);
        settings.remove("distributedid.snowflake.state_file");
        settings.remove(prefix + "state_file");
        settings.put(prefix + "worker", Long.toString(own));
        return settings;
    }
}
