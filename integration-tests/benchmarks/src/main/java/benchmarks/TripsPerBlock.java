package benchmarks;

import io.distributedid.DistributedIds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Round trips that a block takes in the steady state, on MySQL servers that are given by URL. */
public final class TripsPerBlock {

    private static final int WARM_UP = 64;

    private static final int BLOCKS = 640;

    private static final int SIZE = 100;

    private TripsPerBlock() {}

    /** Of ticket servers: one, and a pair. */
    public static void ofTickets(Report report) throws IOException {
        report.value("ticket_trips_per_block", measure("ticket", 1));
        report.value("ticket_trips_per_block_of_two", measure("ticket", 2));
    }

    /** Of sequence tables: one, and one divided between two servers. */
    public static void ofSequenceTables(Report report) throws IOException {
        report.value("sequence_table_trips_per_block", measure("sequence_table", 1));
        report.value("sequence_table_trips_per_block_of_two", measure("sequence_table", 2));
    }

    private static double measure(String backend, int count) throws IOException {
        List<MySql> servers = new ArrayList<>();
        List<RoundTrips> between = new ArrayList<>();
        try {
            List<String> urls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                servers.add(MySql.start());
                between.add(new RoundTrips(servers.get(i).port()));
                urls.add(servers.get(i)
                        .url("trips")
                        .replace(
                                ":" + servers.get(i).port() + "/",
                                ":" + between.get(i).port() + "/"));
            }
            return measure(backend, String.join(",", urls), between);
        } finally {
            for (RoundTrips each : between) {
                each.close();
            }
            servers.forEach(MySql::close);
        }
    }

    private static double measure(String backend, String urls, List<RoundTrips> between) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "distributedid.backend",
                backend,
                "distributedid." + backend + ".servers",
                urls,
                "distributedid.create_tables",
                true,
                "distributedid.block.min",
                SIZE,
                "distributedid.block.max",
                SIZE,
                "distributedid.block.max_age",
                "off"));
        // On a busy machine a server's first answer takes long.
        settings.put("distributedid.timeout", "30s");
        settings.put("distributedid.block.timeout", "1m");
        if (backend.equals("ticket")) {
            settings.put("distributedid.ticket.numbering", "client");
        }
        try (DistributedIds ids = DistributedIds.create(settings)) {
            take(ids, WARM_UP);
            long before = trips(between);
            long blocks = blocks(ids);
            take(ids, BLOCKS);
            return (double) (trips(between) - before) / (blocks(ids) - blocks);
        }
    }

    private static void take(DistributedIds ids, int blocks) {
        for (int i = 0; i < blocks * SIZE; i++) {
            ids.next("photos");
        }
    }

    private static long trips(List<RoundTrips> between) {
        return between.stream().mapToLong(RoundTrips::count).sum();
    }

    private static long blocks(DistributedIds ids) {
        return ids.statistics("photos").orElseThrow().blocks().orElseThrow().fetched();
    }
}
