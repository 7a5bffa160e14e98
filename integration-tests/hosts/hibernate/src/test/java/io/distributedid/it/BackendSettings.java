package io.distributedid.it;

import java.util.Map;

/** The least that each backend needs to run on H2. */
enum BackendSettings {
    TICKET {
        @Override
        Map<String, String> settings() {
            return Map.of(
                    "distributedid.backend", "ticket",
                    "distributedid.ticket.servers", Unit.freshDatabase(),
                    "distributedid.ticket.numbering", "client",
                    "distributedid.ticket.create_table", "true");
        }
    },
    SEQUENCE_TABLE {
        @Override
        Map<String, String> settings() {
            return Map.of("distributedid.backend", "sequence_table");
        }
    },
    SNOWFLAKE {
        @Override
        Map<String, String> settings() {
            return Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "1");
        }
    };

    abstract Map<String, String> settings();
}
