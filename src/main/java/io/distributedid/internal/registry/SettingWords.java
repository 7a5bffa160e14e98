package io.distributedid.internal.registry;

import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.SettingNames;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The words that settings allow, which Spring lets be written in other ways. Immutable. */
public final class SettingWords {

    private static final Pattern NOT_SIGNIFICANT = Pattern.compile("[-_]");

    /** By the full name of a setting. */
    private final Map<String, Collection<String>> words = new HashMap<>();

    private SettingWords() {
        InstalledBackends.declarations().forEach(setting -> words.put(setting.name(), setting.words()));
        words.put(CoreSettings.BACKEND.name(), InstalledBackends.backendNames());
    }

    /** Of all settings that are declared. */
    public static SettingWords installed() {
        return new SettingWords();
    }

    /**
     * A word as the setting declares it; {@code false} is what YAML makes of {@code off}. Empty if the value is no word
     * of the setting.
     *
     * @param setting perhaps of a sequence
     */
    public Optional<String> find(String setting, String value) {
        String plain = value.equals("false") ? "off" : plain(value.strip());
        return words.getOrDefault(SettingNames.general(setting), List.of()).stream()
                .filter(word -> plain(word).equals(plain))
                .findFirst();
    }

    /** What is compared of a name or a word. */
    public static String plain(String text) {
        return NOT_SIGNIFICANT.matcher(text).replaceAll("").toLowerCase(Locale.ROOT);
    }
}
