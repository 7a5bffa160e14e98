package benchmarks.service;

import benchmarks.Budget;
import benchmarks.Fork;
import benchmarks.IdSet;
import benchmarks.Logs;
import benchmarks.Order;
import benchmarks.blocks.MemoryBackendProvider;
import benchmarks.ticket.Callers;
import benchmarks.ticket.Source;
import io.distributedid.DistributedIds;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A JVM in which one thread takes ids as fast as it gets them, and notes each: from the block buffer over an issuing
 * service, and over a source in memory that answers at once.
 */
final class RemoteHandOut {

    /** Blocks of up to a million ids, as {@link #LOCAL}. */
    static final String REMOTE = "REMOTE";

    /** Blocks of up to a hundred thousand ids, the default. */
    static final String REMOTE_DEFAULT = "REMOTE_DEFAULT";

    static final String LOCAL = "LOCAL";

    private static final Duration BEGIN = Duration.ofMillis(100);

    private static final Duration TURN = Duration.ofMillis(400);

    /** Until the client is compiled, which has a request for a million ids. */
    private static final int FIRST_ROUNDS = 8;

    private static final Map<String, Object> LARGE_BLOCKS = Map.of("distributedid.block.max", 1_000_000);

    private RemoteHandOut() {}

    /** Number of the fork, seconds in which rounds begin, rounds, address of the service. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        Order<String> order = new Order<>(List.of(REMOTE, REMOTE_DEFAULT, LOCAL), Long.parseLong(args[0]));
        Budget budget = new Budget(
                Duration.ofSeconds(Long.parseLong(args[1])),
                FIRST_ROUNDS + 2,
                FIRST_ROUNDS + Integer.parseInt(args[2]));
        try (DistributedIds remote = remote(args[3], LARGE_BLOCKS);
                DistributedIds remoteDefault = remote(args[3], Map.of());
                DistributedIds local =
                        MemoryBackendProvider.over(Program.SEQUENCE, new AtomicLong(1)::getAndAdd, LARGE_BLOCKS)) {
            IdSet ofService = new IdSet();
            Map<String, DistributedIds> sources = Map.of(REMOTE, remote, REMOTE_DEFAULT, remoteDefault, LOCAL, local);
            Map<String, IdSet> taken = Map.of(REMOTE, ofService, REMOTE_DEFAULT, ofService, LOCAL, new IdSet());
            for (int round = 0; budget.begins(); round++) {
                for (String contender : order.next()) {
                    Source source = sources.get(contender).sequence(Program.SEQUENCE)::next;
                    Callers.Taken got = Callers.take(List.of(source), BEGIN, TURN);
                    taken.get(contender).addAll(got.ids());
                    if (round >= FIRST_ROUNDS) {
                        Fork.print(contender, got.rate());
                    }
                }
            }
        }
        System.exit(0);
    }

    private static DistributedIds remote(String service, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("distributedid.backend", "remote");
        all.put("distributedid.remote.servers", service);
        // On a busy machine a server's first answer takes long.
        all.put("distributedid.timeout", "30s");
        all.put("distributedid.block.timeout", "1m");
        return DistributedIds.create(all);
    }
}
