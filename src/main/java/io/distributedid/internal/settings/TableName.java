package io.distributedid.internal.settings;

import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;

/** A table that a setting names. It goes into SQL as it is, so that nothing but a plain name is allowed. */
public final class TableName {

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
        return settings.get(Setting.table(name, defaultValue));
    }

    /**
     * Looks at a name.
     *
     * @param name perhaps with schema and catalog
     * @return whether it can go into SQL as it is
     */
    public static boolean isPlain(String name) {
        return Setting.isPlainName(name);
    }
}
