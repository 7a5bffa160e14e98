package io.distributedid;

import io.distributedid.micrometer.DistributedIdMetrics;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A running Prometheus registry with the meters of sequences of two ticket servers, leased, and in strict order. */
final class MeteredIds implements AutoCloseable {

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(distributedid_\\w+)");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final DistributedIds ids;

    private MeteredIds(DistributedIds ids) {
        this.ids = ids;
    }

    static MeteredIds start(boolean histograms) throws SQLException {
        H2Servers.drop("metered1", "metered2");
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", url(1) + ", " + url(2),
                "distributedid.ticket.numbering", "client",
                "distributedid.create_tables", "true",
                "distributedid.block.max", "1",
                "distributedid.snowflake.lease.server", url(1)));
        settings.putAll(Map.of(
                "distributedid.seq.comments.backend", "snowflake",
                "distributedid.seq.comments.snowflake.worker", "lease",
                "distributedid.seq.orders.backend", "snowflake",
                "distributedid.seq.orders.snowflake.worker", "exclusive",
                "distributedid.seq.orders.snowflake.layout", "strict"));
        MeteredIds started = new MeteredIds(DistributedIds.create(settings));
        if (histograms) {
            started.registry.config().meterFilter(histograms());
        }
        new DistributedIdMetrics(started.ids).bindTo(started.registry);
        started.ids.next("photos");
        started.ids.next("photos");
        started.ids.next("comments");
        started.ids.next("orders");
        Await.until(
                "the fetches are timed",
                () -> started.registry.get("distributedid.fetch").timers().stream()
                                .mapToLong(Timer::count)
                                .sum()
                        >= 2);
        return started;
    }

    private static String url(int server) {
        return "jdbc:h2:mem:metered" + server + ";DB_CLOSE_DELAY=-1";
    }

    /** What an application adds for percentiles. */
    private static MeterFilter histograms() {
        return new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().startsWith("distributedid.")
                        ? DistributionStatisticConfig.builder()
                                .percentilesHistogram(true)
                                .build()
                                .merge(config)
                        : config;
            }
        };
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    /** The names of all samples that Prometheus reads. */
    Set<String> samples() {
        return SAMPLE.matcher(registry.scrape())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void close() {
        ids.close();
        registry.close();
    }
}
