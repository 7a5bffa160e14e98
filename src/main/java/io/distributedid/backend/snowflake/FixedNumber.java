package io.distributedid.backend.snowflake;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the settings of a sequence say of a number that is this process's alone.
 *
 * @param fields the values that no other process has, whatever the layout: {@code data_centre=1 worker=7}
 * @param said the settings with these values
 * @param owner whose a state file is: the same without business, since a process may have several
 * @param number goes into the worker field
 * @param file remembers the use of the number, if the settings say so
 */
record FixedNumber(String fields, String said, String owner, long number, Optional<Path> file) {

    /** The settings of fields have their names. */
    private static final String SETTINGS = DistributedIdSettings.PREFIX + "snowflake.";

    private static final String STATEFULSET = "statefulset";

    /** A StatefulSet's name is a DNS label. */
    private static final Pattern OF_STATEFULSET = Pattern.compile(STATEFULSET + ":([a-z0-9]([-a-z0-9]*[a-z0-9])?)");

    /**
     * Reads the settings.
     *
     * @param hostName of this machine or container
     * @throws io.distributedid.IdConfigurationException if the number is missing or out of range
     */
    static FixedNumber of(Settings settings, IdLayout layout, FixedFields values, Supplier<String> hostName) {
        long number = number(settings, layout, hostName);
        DecodedId decoded = layout.decode(values.placedOfProcess(layout) | layout.place(IdField.WORKER, number));
        List<IdField> fields = FixedFields.ofProcess(layout);
        List<IdField> owner = new ArrayList<>(fields);
        owner.remove(IdField.BUSINESS);
        return new FixedNumber(
                said(decoded, fields, ""),
                said(decoded, fields, SETTINGS),
                said(decoded, owner, ""),
                number,
                stateFile(settings));
    }

    private static String said(DecodedId decoded, List<IdField> fields, String prefix) {
        return fields.stream()
                .map(field -> prefix + field.label() + "=" + decoded.field(field.label()))
                .collect(Collectors.joining(" "));
    }

    /** The number that the settings say. */
    static long number(Settings settings, IdLayout layout, Supplier<String> hostName) {
        Setting<String> setting = CoreSettings.SNOWFLAKE_WORKER;
        if (!layout.has(IdField.WORKER)) {
            FixedFields.requireUnset(settings, layout, setting);
            return 0;
        }
        long max = layout.max(IdField.WORKER);
        Optional<String> set = settings.find(setting).filter(text -> text.startsWith(STATEFULSET));
        return set.isPresent()
                ? ordinal(settings, set.get(), max, hostName.get())
                : settings.require(
                        Setting.number(setting.name(), 0, max),
                        "It must differ between all processes and persistence units that run at the same time, so it is"
                                + " never guessed; lease takes one that is free from a database or ZooKeeper");
    }

    /** Any machine may have a name that ends in a number; only the pod of this set has this one. */
    private static long ordinal(Settings settings, String value, long max, String host) {
        Matcher set = OF_STATEFULSET.matcher(value);
        if (!set.matches()) {
            throw settings.invalid(
                    CoreSettings.SNOWFLAKE_WORKER,
                    value,
                    "statefulset:<name of the StatefulSet>, as in statefulset:photos on hosts photos-0, photos-1, ...:"
                            + " host name=" + host);
        }
        String name = set.group(1);
        Matcher pod = Pattern.compile(Pattern.quote(name) + "-(0|[1-9][0-9]{0,8})(\\..*)?")
                .matcher(host);
        if (!pod.matches() || Long.parseLong(pod.group(1)) > max) {
            throw settings.invalid(
                    CoreSettings.SNOWFLAKE_WORKER,
                    value,
                    "only on hosts " + name + "-0 to " + name + "-" + max
                            + ", as Kubernetes names the pods of the StatefulSet " + name + ": host name=" + host);
        }
        return Long.parseLong(pod.group(1));
    }

    private static Optional<Path> stateFile(Settings settings) {
        return settings.find(SnowflakeSettings.STATE_FILE).map(text -> {
            try {
                return Path.of(text).toAbsolutePath().normalize();
            } catch (InvalidPathException e) {
                throw settings.invalid(SnowflakeSettings.STATE_FILE, text, SnowflakeSettings.STATE_FILE.allowed());
            }
        });
    }

    /** Names the file, or says that there is none. */
    String saidFile() {
        return file.map(path -> "state_file=" + path).orElse("no state_file");
    }

    /** Equal for sequences that share a worker. */
    Object identity() {
        return file.isPresent() ? List.of(file.get(), owner) : fields;
    }
}
