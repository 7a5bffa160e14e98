package io.distributedid.internal.settings;

import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.spi.Setting;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Masks secrets; the only class that does. A secret is the value of a setting that is declared as one, everything
 * before the @ of an address, and the value of a parameter or a property of another library with a name such as
 * {@code password}. Errors show users: it is the one refused.
 */
public final class Secrets {

    /** Knows no values of settings. */
    public static final Secrets NONE = new Secrets(List.of());

    static final String MASK = "***";

    private static final String WORDS = "password|passwd|passphrase|pwd|secret|credential|api_?key";

    private static final Pattern NAME = words(".*(?:token|" + WORDS + ")s?");

    private static final Pattern ACCOUNT_PARAMETER =
            words("([\\w.-]*(?:user|token|pass|" + WORDS + ")[\\w.-]*\\s*=)[^&;,)\\s]*");

    private static final Pattern PARAMETER = words("((?:password|passwd|pwd|secret)\\s*[=:]\\s*)[^&;,)\\s]+");

    private static final Pattern CREDENTIALS = Pattern.compile("//\\S*@");

    /** Everything up to the last @ of an address, except its scheme. */
    private static final Pattern USER_INFO =
            Pattern.compile("^((?:jdbc:(?:[a-z0-9]+:){1,2}|[A-Za-z][A-Za-z0-9+.-]*:(?=//))?(?://)?).*@");

    private static final Pattern LINE_BREAKS = Pattern.compile("\\s*[\\r\\n]+\\s*");

    /** Longest first, so that no part of a longer one remains. */
    private final List<String> values;

    private Secrets(List<String> values) {
        this.values = values;
    }

    private static Pattern words(String regex) {
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
    }

    /** The secrets among settings, of which ours are {@code declared}. */
    public static Secrets of(Map<String, ?> settings, Collection<Setting<?>> declared) {
        return of(settings.entrySet().stream()
                .filter(setting -> isSecret(setting.getKey(), declared))
                .map(setting -> setting.getValue().toString())
                .filter(value -> !value.isBlank()));
    }

    /** These texts, whatever they are used for. */
    public static Secrets of(Stream<String> values) {
        return new Secrets(values.sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    /** These secrets and others. */
    public Secrets and(Secrets others) {
        return of(Stream.concat(values.stream(), others.values.stream()));
    }

    /**
     * Whether the value of a setting is a secret. Settings of other libraries are not declared here: the last part of
     * the name decides.
     */
    public static boolean isSecret(String name, Collection<Setting<?>> declared) {
        if (!name.startsWith(Setting.PREFIX)) {
            return NAME.matcher(name.substring(name.lastIndexOf('.') + 1)).matches();
        }
        String general = SettingNames.general(name);
        return declared.stream().anyMatch(each -> each.isSecret() && each.name().equals(general));
    }

    /** The text of an error or a warning, on one line and without secrets. */
    public String masked(String text) {
        return masked(text, Integer.MAX_VALUE);
    }

    /**
     * The same of a text that may have any length: the words within its first characters, and how long it was. Secrets
     * are masked before the text is cut, and no word is cut, so no part of a secret remains.
     */
    public String masked(String text, int longest) {
        String safe = text;
        for (String value : values) {
            safe = safe.replace(value, MASK);
        }
        if (safe.length() > longest) {
            safe = firstWords(safe, longest) + "... (" + text.length() + " characters)";
        }
        safe = CREDENTIALS.matcher(safe).replaceAll("//" + MASK + "@");
        safe = PARAMETER.matcher(safe).replaceAll("$1" + MASK);
        return LINE_BREAKS.matcher(safe.strip()).replaceAll(" ");
    }

    private static String firstWords(String text, int longest) {
        int end = longest;
        while (end > 0 && !Character.isWhitespace(text.charAt(end))) {
            end--;
        }
        return text.substring(0, end).stripTrailing();
    }

    /** The text of a setting that is no secret, for the line at start and for errors. */
    public static String anonymous(String text) {
        String address = text.startsWith("jdbc:") || text.contains("//") ? JdbcUrl.label(text) : text;
        String anonymous = USER_INFO.matcher(address).replaceFirst("$1");
        return ACCOUNT_PARAMETER.matcher(anonymous).replaceAll("$1" + MASK);
    }
}
