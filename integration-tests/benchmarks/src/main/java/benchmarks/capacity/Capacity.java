package benchmarks.capacity;

import benchmarks.Group;
import benchmarks.MySql;
import benchmarks.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What processes cost their stores at a steady rate: statements, write transactions and processor time of the servers,
 * for some numbers of processes, sequences and ids a second. The page {@code operations.md} computes beyond them.
 */
public final class Capacity implements Group {

    private static final List<String> HEAD = List.of(
            "store",
            "processes",
            "sequences of each",
            "ids/s of each",
            "statements/s",
            "writes/s",
            "server CPU ms/s",
            "CPU ms/write");

    /** Processes, sequences of each, ids a second of each sequence. */
    private record Load(int processes, int sequences, int rate) {}

    private static final List<Load> LOADS = List.of(
            new Load(1, 1, 20),
            new Load(1, 1, 2_000),
            new Load(1, 100, 1),
            new Load(1, 100, 20),
            new Load(1, 1_000, 20),
            new Load(3, 100, 20),
            new Load(10, 1, 20),
            new Load(10, 10, 20),
            new Load(10, 100, 20));

    private static final List<Load> FEW = List.of(new Load(2, 10, 20));

    @Override
    public String name() {
        return "capacity";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        List<List<String>> rows = new ArrayList<>(List.of(HEAD));
        int warmUp = quick ? 5 : 25;
        int seconds = quick ? 5 : 30;
        try (MySql table = MySql.start();
                MySql first = MySql.startOfPair(1);
                MySql second = MySql.startOfPair(2)) {
            for (Load load : quick ? FEW : LOADS) {
                for (Store store : List.of(Store.TICKET, Store.SEQUENCE_TABLE)) {
                    List<MySql> servers = store == Store.TICKET ? List.of(first, second) : List.of(table);
                    rows.add(row(store, load, measure(store, load, servers, warmUp, seconds)));
                }
            }
            Load leases = new Load(quick ? 2 : 10, 1, 20);
            rows.add(row(Store.LEASE, leases, measure(Store.LEASE, leases, List.of(table), warmUp, seconds)));
        }
        report.say("%nWindows of leases are %s here, so that they are renewed often", Store.WINDOW);
        report.table(rows);
    }

    private static Work measure(Store store, Load load, List<MySql> servers, int warmUp, int seconds) throws Exception {
        List<Node> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < load.processes; i++) {
                nodes.add(Node.start(store, load.sequences, load.rate, servers));
            }
            for (Node node : nodes) {
                node.awaitReady();
            }
            Thread.sleep(warmUp * 1_000L);
            Work before = Work.of(servers);
            Thread.sleep(seconds * 1_000L);
            return Work.of(servers).since(before);
        } finally {
            nodes.forEach(Node::close);
        }
    }

    private static List<String> row(Store store, Load load, Work work) {
        return List.of(
                store.label,
                Integer.toString(load.processes),
                Integer.toString(load.sequences),
                Integer.toString(load.rate),
                String.format(Locale.ROOT, "%.1f", work.perSecond(work.statements())),
                String.format(Locale.ROOT, "%.1f", work.perSecond(work.writes())),
                String.format(Locale.ROOT, "%.1f", work.perSecond(work.cpu().toNanos() / 1e6)),
                String.format(Locale.ROOT, "%.2f", work.cpu().toNanos() / 1e6 / Math.max(1, work.writes())));
    }
}
