package benchmarks.scale;

import benchmarks.Counters;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Where the ids of five hundred entities come from; the entities are alike. */
enum Start {
    TABLE("Hibernate's TABLE") {
        @Override
        Map<String, Object> settings(List<String> ticketServers) {
            return Map.of("hibernate.id.optimizer.pooled.preferred", "pooled-lo");
        }
    },
    SEQUENCE_TABLE("sequence_table, own database") {
        @Override
        Map<String, Object> settings(List<String> ticketServers) {
            return Map.of("distributedid.backend", "sequence_table");
        }
    },
    TICKET("ticket, two servers") {
        @Override
        Map<String, Object> settings(List<String> ticketServers) {
            return Counters.settings("ticket", ticketServers);
        }
    },
    SNOWFLAKE("snowflake") {
        @Override
        Map<String, Object> settings(List<String> ticketServers) {
            return Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", 7);
        }
    };

    final String label;

    Start(String label) {
        this.label = label;
    }

    /** Of Hibernate or the library, besides the database. */
    abstract Map<String, Object> settings(List<String> ticketServers);

    /** All settings. */
    Map<String, Object> settings(String url, List<String> ticketServers) {
        Map<String, Object> settings = new HashMap<>(settings(ticketServers));
        settings.put("hibernate.connection.url", url);
        return settings;
    }

    /** A schema of its own. */
    String schema() {
        return "rows_" + name().toLowerCase(Locale.ROOT);
    }

    List<Class<?>> entities(Entities entities) {
        return this == TABLE ? entities.table() : entities.ours();
    }
}
