package benchmarks.keys;

import benchmarks.Chart;
import benchmarks.Group;
import benchmarks.MySql;
import benchmarks.Order;
import benchmarks.Report;
import benchmarks.Rounds;
import io.distributedid.DistributedIds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a key costs on a durable MySQL: the size of a table with two secondary indexes, and the rate of inserts into it
 * by plain JDBC. The tables take turns, {@value #TURN} rows each, so that they grow side by side on one server and one
 * buffer pool.
 */
public final class Keys implements Group {

    private static final int TURN = 20_000;

    private static final String POOL = "--innodb-buffer-pool-size=128M";

    @Override
    public String name() {
        return "keys";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        int rows = quick ? 400_000 : 1_000_000;
        report.say("%,d rows in each table, a buffer pool of 128 MB for all, rewriteBatchedStatements=true", rows);
        try (MySql server = MySql.start(POOL);
                DistributedIds ids = DistributedIds.create(Map.of(
                        "distributedid.backend",
                        "sequence_table",
                        "distributedid.sequence_table.servers",
                        server.url("ids"),
                        "distributedid.create_tables",
                        true));
                Connection connection = DriverManager.getConnection(server.url("photos"))) {
            Map<KeyKind, KeyTable> tables = new EnumMap<>(KeyKind.class);
            for (KeyKind kind : KeyKind.values()) {
                tables.put(kind, new KeyTable(kind, ids.sequence("photos"), connection));
            }
            Rounds rounds = fill(tables, rows);
            Map<KeyKind, KeyTable.Size> sizes = new EnumMap<>(KeyKind.class);
            for (Map.Entry<KeyKind, KeyTable> table : tables.entrySet()) {
                sizes.put(table.getKey(), table.getValue().size());
            }
            show(report, rows, sizes, rounds);
        }
    }

    private static Rounds fill(Map<KeyKind, KeyTable> tables, int rows) throws SQLException {
        Rounds rounds = new Rounds();
        Order<KeyKind> order = new Order<>(List.of(KeyKind.values()), 0);
        for (int done = 0; done < rows; done += TURN) {
            for (KeyKind kind : order.next()) {
                rounds.add(kind.name(), tables.get(kind).insert(TURN));
            }
        }
        return rounds;
    }

    private static void show(Report report, int rows, Map<KeyKind, KeyTable.Size> sizes, Rounds rounds)
            throws Exception {
        Chart chart = new Chart(
                String.format(Locale.ROOT, "Primary keys on MySQL 8.0: %,d rows, two secondary indexes", rows),
                "Tables filled in turns on one durable server.");
        List<List<String>> table = new ArrayList<>();
        table.add(List.of("", "table MB", "secondary indexes MB", "bytes a row", "rows/s"));
        chart.panel("Table and indexes, bytes for each row");
        sizes.forEach((kind, size) -> {
            double perRow = (double) size.total() / rows;
            chart.bar(kind.label, perRow, number(perRow), kind.side());
            table.add(List.of(
                    kind.label,
                    number(size.rows() / 1e6),
                    number(size.indexes() / 1e6),
                    number(perRow),
                    number(rounds.rate(kind.name()))));
        });
        chart.panel("Inserts, thousand rows per second");
        for (KeyKind kind : KeyKind.values()) {
            double rate = rounds.rate(kind.name());
            chart.bar(kind.label, rate, number(rate / 1000), kind.side());
        }
        report.table(table);
        report.chart(chart);
        for (KeyKind kind : KeyKind.values()) {
            if (kind != KeyKind.OURS) {
                String name = kind.name().toLowerCase(Locale.ROOT);
                long ours = sizes.get(KeyKind.OURS).total();
                report.value(
                        "keys_size_" + name + "_vs_ours",
                        (double) sizes.get(kind).total() / ours);
                report.ratio("keys_rate_ours_vs_" + name, rounds.ratio(KeyKind.OURS.name(), kind.name()));
            }
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
