package io.distributedid.backend.snowflake;

import io.distributedid.DecodedId;
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
 * A fixed worker number, which no other process may have.
 *
 * @param fields the values that no other process has, whatever the layout: {@code data_centre=1 worker=7}
 * @param settings the same as settings, for messages
 * @param owner identifies the owner of a state file: {@code fields} without business, since a process may have several.
 *     So the file may not know of a former use of these {@code fields}, see {@link Worker#unrecordedUse}
 * @param file the state file, if one is set
 */
record FixedNumber(String fields, String settings, String owner, long number, Optional<Path> file) {

    /** A field's setting is this prefix and the field's name. */
    private static final String SETTINGS = "distributedid.snowflake.";

    private static final String STATEFULSET = "statefulset";

    /** A StatefulSet's name is a DNS label. */
    private static final Pattern OF_STATEFULSET = Pattern.compile(STATEFULSET + ":([a-z0-9]([-a-z0-9]*[a-z0-9])?)");

    /** @throws io.distributedid.IdConfigurationException if the number is missing or out of range */
    static FixedNumber of(Settings settings, IdLayout layout, FixedFields values, Supplier<String> hostName) {
        long number = number(settings, layout, hostName);
        DecodedId decoded = layout.decode(values.placedOfProcess(layout) | layout.place(IdField.WORKER, number));
        List<IdField> fields = FixedFields.ofProcess(layout);
        List<IdField> owner = new ArrayList<>(fields);
        owner.remove(IdField.BUSINESS);
        return new FixedNumber(
                text(decoded, fields, ""),
                text(decoded, fields, SETTINGS),
                text(decoded, owner, ""),
                number,
                stateFile(settings));
    }

    private static String text(DecodedId decoded, List<IdField> fields, String prefix) {
        return fields.stream()
                .map(field -> prefix + field.label() + "=" + decoded.field(field.label()))
                .collect(Collectors.joining(" "));
    }

    /** The configured number; 0 if the layout has no worker field. */
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
                        Setting.number(setting.name(), setting.description(), 0, max),
                        "It must differ between all processes and persistence units that run at the same time, so it is"
                                + " never guessed; lease takes one that is free from a database or ZooKeeper");
    }

    /** Any host name may end in a number. Only a pod of this StatefulSet also has its name. */
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

    String fileText() {
        return file.map(path -> "state_file=" + path).orElse("no state_file");
    }

    /** Equal for sequences that share a worker. */
    Object identity() {
        return file.isPresent() ? List.of(file.get(), owner) : fields;
    }
}
