package io.distributedid.internal.settings;

import io.distributedid.spi.Setting;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The spellings that Spring allows for one setting: {@code max_distance}, {@code max-distance} and
 * {@code maxDistance}; as an environment variable {@code DISTRIBUTEDID_MAX_DISTANCE} or
 * {@code DISTRIBUTEDID_MAXDISTANCE}. The name of a sequence stays as written; in an environment variable it
 * becomes lower case.
 */
public final class SettingSpelling {

    private static final String PREFIX = Setting.PREFIX;

    private static final String SEQUENCE = Setting.SEQUENCE_PREFIX.substring(PREFIX.length());

    private static final Pattern NOT_SIGNIFICANT = Pattern.compile("[-_]");

    private static final Pattern INDEX = Pattern.compile("(\\[\\d+])+$");

    private static final Pattern VARIABLE_INDEX = Pattern.compile("_\\d+$");

    /** The settings without their prefix, longest first. */
    private final List<String> known;

    /** {@code known}: all settings, by their full names. */
    public SettingSpelling(Set<String> known) {
        this.known = known.stream()
                .map(setting -> setting.substring(PREFIX.length()))
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /**
     * The full name of the setting for a property without index: as written if the setting is unknown; empty if the
     * property has another prefix.
     */
    public Optional<String> ofProperty(String property) {
        int dot = property.indexOf('.');
        if (dot < 0 || !squeeze(property.substring(0, dot + 1)).equals(PREFIX)) {
            return Optional.empty();
        }
        String name = property.substring(dot + 1);
        if (name.startsWith(SEQUENCE)) {
            int end = name.indexOf('.', SEQUENCE.length());
            if (end > 0) {
                String sequence = name.substring(0, end + 1);
                return Optional.of(PREFIX + sequence + tail(name.substring(end + 1)));
            }
        }
        return Optional.of(PREFIX + tail(name));
    }

    private String tail(String written) {
        String squeezed = squeeze(written);
        return known.stream()
                .filter(tail -> squeeze(tail).equals(squeezed))
                .findFirst()
                .orElse(written);
    }

    /** The full name of the setting for an environment variable without index; empty if the setting is unknown. */
    public Optional<String> ofVariable(String variable) {
        String name = variable.toLowerCase(Locale.ROOT);
        String prefix = PREFIX.replace('.', '_');
        if (!name.startsWith(prefix)) {
            return Optional.empty();
        }
        String rest = name.substring(prefix.length());
        return known.stream()
                .filter(tail -> variableForm(tail).equals(rest)
                        || shortVariableForm(tail).equals(rest))
                .findFirst()
                .or(() -> ofOneSequence(rest))
                .map(tail -> PREFIX + tail);
    }

    /** Finds the longest setting at the end of the variable; the text before it is the sequence's name. */
    private Optional<String> ofOneSequence(String rest) {
        String prefix = SEQUENCE.replace('.', '_');
        if (!rest.startsWith(prefix)) {
            return Optional.empty();
        }
        String name = rest.substring(prefix.length());
        return known.stream()
                .flatMap(tail -> Stream.of(variableForm(tail), shortVariableForm(tail))
                        .filter(form -> name.endsWith("_" + form) && name.length() > form.length() + 1)
                        .map(form -> SEQUENCE + name.substring(0, name.length() - form.length() - 1) + "." + tail))
                .findFirst();
    }

    /** {@code servers[1]} without its index. */
    public static String withoutIndex(String property) {
        return INDEX.matcher(property).replaceFirst("");
    }

    /** {@code SERVERS_1} without its index. */
    public static String variableWithoutIndex(String variable) {
        return VARIABLE_INDEX.matcher(variable).replaceFirst("");
    }

    static String squeeze(String name) {
        return NOT_SIGNIFICANT.matcher(name).replaceAll("").toLowerCase(Locale.ROOT);
    }

    private static String variableForm(String tail) {
        return tail.replace('.', '_');
    }

    private static String shortVariableForm(String tail) {
        return squeeze(tail).replace('.', '_');
    }
}
