package io.distributedid.it;

import io.distributedid.testkit.ServerProcess;
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
                    "distributedid.create_tables", "true");
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
    },
    /** Blocks of an issuing service. */
    REMOTE {
        @Override
        Map<String, String> settings() {
            return remote(Services.BLOCKS);
        }
    },
    /** Each id by a request to an issuing service. */
    REMOTE_STRICT {
        @Override
        Map<String, String> settings() {
            return remote(Services.STRICT);
        }
    };

    /** In processes of their own, started when they are first needed. */
    private static final class Services {

        private static final ServerProcess BLOCKS =
                ServerProcess.packed(Map.of("distributedid.server.sequences", "photos, albums, Album"));

        private static final ServerProcess STRICT = ServerProcess.packed(Map.of(
                "distributedid.server.sequences", "photos, albums, Album",
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "exclusive",
                "distributedid.snowflake.layout", "strict",
                "distributedid.snowflake.lease.server", "jdbc:h2:mem:lease;DB_CLOSE_DELAY=-1",
                "distributedid.create_tables", true));
    }

    private static Map<String, String> remote(ServerProcess server) {
        return Map.of(
                "distributedid.backend",
                "remote",
                "distributedid.remote.servers",
                server.url().toString());
    }

    abstract Map<String, String> settings();
}
