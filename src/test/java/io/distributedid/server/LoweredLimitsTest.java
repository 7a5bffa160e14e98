package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Together;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** A service is started again with lower limits than its clients know. They go on. */
class LoweredLimitsTest {

    private static final int THREADS = 16;

    private static DistributedIds client(int port) {
        return DistributedIds.builder()
                .settings(Map.of(
                        "distributedid.backend",
                        "remote",
                        "distributedid.remote.servers",
                        "http://127.0.0.1:" + port,
                        "distributedid.timeout",
                        "30s",
                        "distributedid.block.min",
                        "1000",
                        "distributedid.block.timeout",
                        "1m"))
                .tokensComparedByCaller()
                .build();
    }

    private static void goesOn(Map<String, Object> of, String lowered, int limit, String sequence) throws Exception {
        Map<String, Object> settings = new HashMap<>(of);
        settings.put("server.sequences", sequence);
        RunningServer server = RunningServer.with(settings);
        settings.put("server.port", server.port());
        settings.put(lowered, limit);
        try (DistributedIds client = client(server.port())) {
            LongSupplier next = client.sequence(sequence)::next;
            List<Long> given = Collections.synchronizedList(new ArrayList<>(List.of(next.getAsLong())));
            server.close();
            server = RunningServer.with(settings);
            List<Integer> counts = Together.run(THREADS, thread -> {
                int count = 0;
                for (; count < 100; count++) {
                    given.add(next.getAsLong());
                }
                return count;
            });

            assertThat(counts).hasSize(THREADS).containsOnly(100);
            assertThat(given).doesNotHaveDuplicates();
        } finally {
            server.close();
        }
    }

    @Test
    void blocks() throws Exception {
        Map<String, Object> settings = Map.of(
                "backend",
                "sequence_table",
                "sequence_table.servers",
                "jdbc:h2:mem:lowered_blocks;DB_CLOSE_DELAY=-1",
                "create_tables",
                true);
        goesOn(settings, "server.max_block", 100, "lowered_blocks");
    }

    @Test
    void idsInStrictOrder() throws Exception {
        Map<String, Object> settings = Map.of(
                "backend",
                "snowflake",
                "snowflake.worker",
                "exclusive",
                "snowflake.layout",
                "strict",
                "snowflake.lease.server",
                "jdbc:h2:mem:lowered_strict;DB_CLOSE_DELAY=-1",
                "create_tables",
                true);
        goesOn(settings, "server.max_ids", 4, "lowered_strict");
    }
}
