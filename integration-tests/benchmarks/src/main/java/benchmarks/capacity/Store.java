package benchmarks.capacity;

import io.distributedid.DistributedIdSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where a process gets its ids from. */
enum Store {
    TICKET("ticket pair") {
        @Override
        Map<String, Object> settings(List<String> urls) {
            return Map.of(
                    DistributedIdSettings.BACKEND,
                    "ticket",
                    DistributedIdSettings.TICKET_SERVERS,
                    String.join(",", urls),
                    DistributedIdSettings.TICKET_CREATE_TABLE,
                    true);
        }
    },
    SEQUENCE_TABLE("sequence table") {
        @Override
        Map<String, Object> settings(List<String> urls) {
            return Map.of(
                    DistributedIdSettings.BACKEND,
                    "sequence_table",
                    DistributedIdSettings.SEQUENCE_TABLE_SERVERS,
                    String.join(",", urls),
                    DistributedIdSettings.SEQUENCE_TABLE_CREATE_TABLE,
                    true);
        }
    },
    LEASE("lease table") {
        @Override
        Map<String, Object> settings(List<String> urls) {
            Map<String, Object> settings = new HashMap<>();
            settings.put(DistributedIdSettings.BACKEND, "snowflake");
            settings.put(DistributedIdSettings.SNOWFLAKE_WORKER, "lease");
            settings.put(DistributedIdSettings.SNOWFLAKE_LEASE_SERVER, urls.get(0));
            settings.put(DistributedIdSettings.SNOWFLAKE_LEASE_CREATE_TABLE, true);
            settings.put(DistributedIdSettings.SNOWFLAKE_LEASE_WINDOW, WINDOW);
            return settings;
        }
    };

    static final String WINDOW = "2s";

    final String label;

    Store(String label) {
        this.label = label;
    }

    /** Of the library. */
    abstract Map<String, Object> settings(List<String> urls);
}
