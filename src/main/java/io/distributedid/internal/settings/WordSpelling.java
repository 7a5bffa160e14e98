package io.distributedid.internal.settings;

import io.distributedid.spi.Setting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The spellings that Spring allows for a word in a value: {@code sequence-table}, {@code SEQUENCE_TABLE} and
 * {@code sequenceTable} are {@code sequence_table}. Other values stay as written. Immutable.
 */
public final class WordSpelling {

    private static final String OFF = "off";

    /** What YAML makes of {@code off} without quotes. */
    private static final String FALSE = "false";

    /** By the full name of a setting. */
    private final Map<String, List<String>> words = new HashMap<>();

    /**
     * @param declared all settings
     * @param backends the names of the installed backends
     */
    public WordSpelling(Collection<Setting<?>> declared, Set<String> backends) {
        declared.forEach(setting -> words.put(setting.name(), setting.words()));
        words.put("distributedid.backend", new ArrayList<>(backends));
    }

    /**
     * The value of a setting as everywhere else.
     *
     * @param setting its full name, perhaps that for one sequence
     */
    public Object of(String setting, Object value) {
        if (!(value instanceof CharSequence) && !(value instanceof Boolean)) {
            return value;
        }
        List<String> known = words.getOrDefault(SettingNames.general(setting), List.of());
        String text = value.toString().strip();
        if (text.equals(FALSE) && known.contains(OFF)) {
            return OFF;
        }
        String squeezed = SettingSpelling.squeeze(text);
        return known.stream()
                .filter(word -> SettingSpelling.squeeze(word).equals(squeezed))
                .findFirst()
                .map(Object.class::cast)
                .orElse(value);
    }
}
