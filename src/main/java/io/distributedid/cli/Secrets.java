package io.distributedid.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What must not be printed: passwords of settings, and whatever looks like one in a URL. */
final class Secrets {

    /** Nothing but what looks like a password. */
    static final Secrets NONE = new Secrets(List.of());

    private static final String MASK = "***";

    private static final Pattern PARAMETER = Pattern.compile("(?i)(password|passwd|pwd)(\\s*[=:]\\s*)[^&;,)\\s]+");

    private static final Pattern CREDENTIALS = Pattern.compile("//\\S*@");

    private static final Pattern LINE_BREAKS = Pattern.compile("\\s*[\\r\\n]+\\s*");

    /** Longest first, so that none is left in part. */
    private final List<String> values;

    private Secrets(List<String> values) {
        this.values = values;
    }

    /** Those among settings. */
    static Secrets of(Map<String, ?> settings) {
        return new Secrets(settings.entrySet().stream()
                .filter(setting -> isSecret(setting.getKey()))
                .map(setting -> setting.getValue().toString())
                .filter(value -> !value.isBlank())
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    /** Those and others. */
    Secrets and(Secrets others) {
        return new Secrets(Stream.concat(values.stream(), others.values.stream())
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    static boolean isSecret(String name) {
        return name.endsWith("password");
    }

    /** A text on one line, without secrets. */
    String masked(String text) {
        String safe = text;
        for (String value : values) {
            safe = safe.replace(value, MASK);
        }
        safe = CREDENTIALS.matcher(safe).replaceAll("//" + MASK + "@");
        safe = PARAMETER.matcher(safe).replaceAll("$1$2" + MASK);
        return LINE_BREAKS.matcher(safe.strip()).replaceAll(" ");
    }
}
