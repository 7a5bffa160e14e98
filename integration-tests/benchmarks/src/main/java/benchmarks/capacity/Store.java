package benchmarks.capacity;

import benchmarks.Counters;
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
                    "distributedid.backend",
                    "snowflake",
                    "distributedid.snowflake.worker",
                    "lease",
                    "distributedid.snowflake.lease.server",
                    urls.get(0),
                    "distributedid.create_tables",
                    true,
                    "distributedid.snowflake.lease.window",
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
