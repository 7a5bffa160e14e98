package io.distributedid.backend.snowflake;

import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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

    private static final Logger LOG = System.getLogger(FixedNumber.class.getName());

    /** A field's setting is this prefix and the field's name. */
    private static final String SETTINGS = "distributedid.snowflake.";

    private static final String STATEFULSET = "statefulset";

    /** A StatefulSet's name is a DNS label. */
    private static final Pattern OF_STATEFULSET = Pattern.compile(STATEFULSET + ":([a-z0-9]([-a-z0-9]*[a-z0-9])?)");

    /** @throws IdConfigurationException if the number is missing or out of range */
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
                                + " never guessed; lease takes a free number from a database or ZooKeeper");
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

    /**
     * Checks the number of a process that was resumed from a snapshot. Other copies of the process may run with the
     * same settings. A number written in the settings is the same in all copies, so it is refused. A leased number is
     * leased anew. A number from the host name or with a state file is used with a warning: it is unique only if the
     * host name or the file is.
     *
     * @throws IdConfigurationException if all copies have the same number
     */
    static void requireNotCopied(Settings settings, IdLayout layout) {
        boolean isAnyNumber = layout.has(IdField.WORKER) && LeaseSettings.isLeased(settings);
        if (isAnyNumber || LeaseSettings.isExclusive(settings)) {
            return;
        }
        Optional<String> worker = settings.find(CoreSettings.SNOWFLAKE_WORKER);
        Optional<String> file = settings.find(SnowflakeSettings.STATE_FILE);
        String number =
                worker.map(text -> "distributedid.snowflake.worker=" + text).orElse("layout=" + layout);
        if (file.isPresent()) {
            warn(number, "has this state file, or a copy of it: distributedid.snowflake.state_file=" + file.get());
        } else if (worker.filter(text -> text.startsWith("statefulset")).isPresent()) {
            warn(number, "has a host name with the same ordinal");
        } else {
            throw new IdConfigurationException(
                    "A resumed process must not keep a fixed worker number, which every other copy of the process has"
                            + " too: " + number + ". Set distributedid.snowflake.worker=lease, or start a new process"
                            + " instead of resuming this one");
        }
    }

    private static void warn(String number, String unlessOther) {
        LOG.log(
                Level.WARNING,
                "A worker number is used again by a process that was resumed: {0}. Ids are unique only if no other copy"
                        + " of the process {1}. A leased number needs no such care",
                number,
                unlessOther);
    }
}
