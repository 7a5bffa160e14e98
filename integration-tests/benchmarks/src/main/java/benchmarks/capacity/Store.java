package benchmarks.capacity;

import benchmarks.Counters;
import io.distributedid.DistributedIdSettings;
import java.util.List;
import java.util.Map;

/** Where a process gets its ids from. */
enum Store {
    TICKET("ticket pair") {
        @Override
        Map<String, Object> settings(List<String> urls) {
            return Counters.settings("ticket", urls);
        }
    },
    SEQUENCE_TABLE("sequence table") {
        @Override
        Map<String, Object> settings(List<String> urls) {
            return Counters.settings("sequence_table", urls);
        }
    },
    LEASE("lease table") {
        @Override
        Map<String, Object> settings(List<String> urls) {
            return Map.of(
                    DistributedIdSettings.BACKEND,
                    "snowflake",
                    DistributedIdSettings.SNOWFLAKE_WORKER,
                    "lease",
                    DistributedIdSettings.SNOWFLAKE_LEASE_SERVER,
                    urls.get(0),
                    DistributedIdSettings.SNOWFLAKE_LEASE_CREATE_TABLE,
                    true,
                    DistributedIdSettings.SNOWFLAKE_LEASE_WINDOW,
                    WINDOW);
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
