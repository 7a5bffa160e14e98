package io.distributedid.internal.settings;

import io.distributedid.spi.Settings;
import java.util.regex.Pattern;

/** A table that a setting names. It goes into SQL as it is, so that nothing but a plain name is allowed. */
public final class TableName {

    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}(\\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,2}");

    private TableName() {}

    /**
     * Reads the setting.
     *
     * @param settings of a sequence
     * @param name of the setting
     * @param defaultValue if it is not set
     * @return the name, perhaps with schema and catalog
     */
    public static String of(Settings settings, String name, String defaultValue) {
        String table = settings.text(name).orElse(defaultValue);
        if (!isPlain(table)) {
            throw settings.invalid(
                    name, table, "a name of letters, digits and '_', perhaps with its schema: name or schema.name");
        }
        return table;
    }

    /**
     * Looks at a name.
     *
     * @param name perhaps with schema and catalog
     * @return whether it can go into SQL as it is
     */
    public static boolean isPlain(String name) {
        return PLAIN.matcher(name).matches();
    }
}
