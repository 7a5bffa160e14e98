package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.micrometer.core.instrument.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.h2.util.json.JSONStringSource;
import org.h2.util.json.JSONStringTarget;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the rules in the jar name meters that exist, and the rules fire when they should. */
class MonitoringFilesTest {

    private static final String FOLDER = "src/main/resources/META-INF/distributedid/";

    private static final Path RULES = Path.of(FOLDER + "prometheus-rules.yml");

    private static final Path DASHBOARD = Path.of(FOLDER + "grafana-dashboard.json");

    private static final Path CASES = Path.of("src/test/prometheus/prometheus-rules-test.yml");

    private static final Pattern METER = Pattern.compile("\\bdistributedid_\\w+");

    private static final Pattern QUERY = Pattern.compile("(?m)^ *\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern ALERT = Pattern.compile("(?m)^ *- alert: (\\w+)$");

    private static MeteredIds metered;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws SQLException {
        metered = MeteredIds.start(true);
    }

    @AfterAll
    static void stop() {
        metered.close();
    }

    @Test
    void bothFilesNameOnlyMetersOfARunningRegistry() throws IOException {
        assertThat(found(METER, RULES)).isNotEmpty().isSubsetOf(metered.samples());
        assertThat(found(METER, DASHBOARD)).isNotEmpty().isSubsetOf(metered.samples());
    }

    @Test
    void theDashboardShowsEveryMeter() throws IOException {
        Set<String> shown = found(METER, DASHBOARD);

        SoftAssertions.assertSoftly(all -> {
            for (Meter meter : metered.registry().getMeters()) {
                Meter.Id id = meter.getId();
                String name = metered.registry()
                        .config()
                        .namingConvention()
                        .name(id.getName(), id.getType(), id.getBaseUnit());
                all.assertThat(shown).as(id.getName()).anyMatch(each -> each.startsWith(name));
            }
        });
    }

    @Test
    void theDashboardIsJson() throws IOException {
        assertThat(JSONStringSource.parse(Files.readString(DASHBOARD), new JSONStringTarget()))
                .startsWith("{\"title\":\"distributedid\"");
    }

    @Test
    void everyAlertHasACaseThatFiresAndOneThatIsQuietAndIsExplained() throws IOException {
        String cases = Files.readString(CASES);
        String page = Page.of("src/docs/operations.md").section("What to alert on");

        Set<String> alerts = found(ALERT, RULES);
        assertThat(alerts).isNotEmpty();
        SoftAssertions.assertSoftly(all -> alerts.forEach(alert -> {
            all.assertThat(cases)
                    .contains("alertname: " + alert + "\n        exp_alerts:\n          - exp_labels:")
                    .contains("alertname: " + alert + "\n        exp_alerts: []\n");
            all.assertThat(page).contains("`" + alert + "`");
        }));
    }

    @Test
    @Needs(Need.PROMTOOL)
    void prometheusAcceptsTheRules() throws IOException, InterruptedException {
        assertPromtool("check", "rules", RULES.toString());
    }

    @Test
    @Needs(Need.PROMTOOL)
    void prometheusAcceptsTheQueriesOfTheDashboard() throws IOException, InterruptedException {
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
        int number = 0;
        for (String query : found(QUERY, DASHBOARD)) {
            String expression = query.replace("\\\"", "\"").replace("$__rate_interval", "5m");
            rules.append("      - record: query")
                    .append(number++)
                    .append("\n        expr: '")
                    .append(expression)
                    .append("'\n");
        }

        assertPromtool(
                "check",
                "rules",
                Files.writeString(folder.resolve("queries.yml"), rules).toString());
    }

    @Test
    @Needs(Need.PROMTOOL)
    void theAlertsFireWhenTheyShould() throws IOException, InterruptedException {
        assertPromtool("test", "rules", CASES.toString());
    }

    private void assertPromtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("promtool ends").isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The first group, or all if there is none. */
    private static Set<String> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(result -> result.group(result.groupCount() == 0 ? 0 : 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
