package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The meters of a running registry are those of the page, and have names that Prometheus users expect. */
class MonitoringPageTest {

    private static MeteredIds metered;

    @BeforeAll
    static void start() throws SQLException {
        metered = MeteredIds.start(false);
    }

    @AfterAll
    static void stop() {
        metered.close();
    }

    @Test
    void theTableHasEveryMeterWithItsTypeUnitAndTags() {
        assertThat(rowsOfPage()).containsExactlyInAnyOrderElementsOf(rowsOfRegistry());
    }

    @Test
    void theJavadocNamesEveryMeter() {
        String source = Page.of("src/main/java/io/distributedid/micrometer/DistributedIdMetrics.java")
                .text();

        SoftAssertions.assertSoftly(all -> metered.registry().getMeters().stream()
                .map(meter -> meter.getId().getName())
                .forEach(name -> all.assertThat(source).contains("{@code " + name + "}")));
    }

    @Test
    void noNameInPrometheusSaysAWordTwice() {
        SoftAssertions.assertSoftly(all -> metered.samples()
                .forEach(name -> all.assertThat(name.split("_")).as(name).doesNotHaveDuplicates()));
    }

    private static Set<String> rowsOfPage() {
        return Page.of("src/docs/operations.md")
                .section("Metrics")
                .lines()
                .filter(line -> line.startsWith("| `distributedid."))
                .map(line -> Arrays.stream(line.split("\\|"))
                        .skip(1)
                        .limit(5)
                        .map(cell -> cell.replace("`", "").strip())
                        .collect(Collectors.joining("; ")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> rowsOfRegistry() {
        return metered.registry().getMeters().stream()
                .map(MonitoringPageTest::row)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String row(Meter meter) {
        Meter.Id id = meter.getId();
        String type = id.getType().name().toLowerCase(Locale.ROOT);
        String sample = type.equals("timer") ? sample(id) + "_count, _sum, _max" : sample(id);
        assertThat(metered.samples()).as("what Prometheus reads").contains(sample.split(",")[0]);
        return String.join(
                "; ",
                id.getName(),
                sample,
                type,
                Objects.requireNonNullElse(id.getBaseUnit(), ""),
                id.getTags().stream().map(Tag::getKey).collect(Collectors.joining(", ")));
    }

    private static String sample(Meter.Id id) {
        PrometheusMeterRegistry registry = metered.registry();
        String name = registry.config().namingConvention().name(id.getName(), id.getType(), id.getBaseUnit());
        return List.of(Meter.Type.COUNTER).contains(id.getType()) && !name.endsWith("_total") ? name + "_total" : name;
    }
}
