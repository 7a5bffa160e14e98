package io.distributedid.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of {@code --demo}: one sequence, counted in an H2 database in the working directory. It is a file, since
 * a counter in memory would give the same ids again after the next start. H2 does not close it at SIGTERM by itself,
 * but when the server has handed its ids back.
 */
final class DemoSettings {

    static final String SEQUENCE = "demo";

    private static final String FILE = "./distributedid-demo";

    private DemoSettings() {}

    /** @param own take the place of those of the demonstration */
    static Map<String, Object> with(Map<String, ?> own) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("distributedid.backend", "sequence_table");
        settings.put(
                "distributedid.sequence_table.servers", "jdbc:h2:" + FILE + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE");
        settings.put("distributedid.create_tables", "true");
        settings.put(ServerSettings.SEQUENCES.name(), SEQUENCE);
        settings.putAll(own);
        return settings;
    }
}
