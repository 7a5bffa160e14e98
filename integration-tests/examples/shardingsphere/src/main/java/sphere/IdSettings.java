package sphere;

import io.distributedid.spi.Setting;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** The settings of ids among the properties of an algorithm. */
final class IdSettings {

    private IdSettings() {}

    static Map<String, Object> of(Properties properties) {
        Map<String, Object> settings = new HashMap<>();
        properties.forEach((name, value) -> {
            if (name.toString().startsWith(Setting.PREFIX)) {
                settings.put(name.toString(), value);
            }
        });
        return settings;
    }
}
