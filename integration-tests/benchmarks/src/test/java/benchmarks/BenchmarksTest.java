package benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import benchmarks.Chart.Side;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarksTest {

    private static final Ratio NARROW = new Ratio(new Interval(0.89, 0.90, 0.91), new Interval(0.95, 0.96, 0.97));

    private static final Ratio WIDE = new Ratio(new Interval(0.80, 0.90, 1.00), new Interval(0.95, 0.96, 0.97));

    @TempDir
    private Path charts;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void aMissedBarFailsTheRunAtItsEnd() throws Exception {
        int status = run(group("first", NARROW, Bar.ofWall(0.95)), group("second", WIDE, Bar.ofWall(0.80)));

        assertThat(status).isEqualTo(1);
        assertThat(lines())
                .contains(
                        "RATIO first 0.90 [0.89, 0.91] cpu 0.96 [0.95, 0.97] bar 0.95 missed",
                        "RATIO second 0.90 [0.80, 1.00] cpu 0.96 [0.95, 0.97] bar 0.80 held")
                .endsWith("MISSED first 0.90 [0.89, 0.91] cpu 0.96 [0.95, 0.97] bar 0.95 missed");
    }

    @Test
    void anOpenBarDoesNotFailTheRun() throws Exception {
        assertThat(run(group("open", WIDE, Bar.ofWall(0.95)))).isZero();
        assertThat(lines()).contains("RATIO open 0.90 [0.80, 1.00] cpu 0.96 [0.95, 0.97] bar 0.95 open");
    }

    @Test
    void aBarThatTheMachineDecidesDoesNotFailTheRun() throws Exception {
        assertThat(run(group("disk", NARROW, Bar.notJudged(6, "the disk")))).isZero();
        assertThat(lines())
                .contains(
                        "RATIO disk 0.90 [0.89, 0.91] cpu 0.96 [0.95, 0.97] bar 6.00 not judged, decided by the disk");
    }

    @Test
    void aBarOfCpuTimeIsJudgedByCpuTime() throws Exception {
        assertThat(run(group("cpu", NARROW, Bar.ofCpu(0.95)))).isZero();
        assertThat(lines()).contains("RATIO cpu 0.90 [0.89, 0.91] cpu 0.96 [0.95, 0.97] bar 0.95 (cpu) held");
    }

    @Test
    void aCountedValueIsJudgedAsItIs() throws Exception {
        assertThat(run(group("count", report -> report.value("count", 0.5, Bar.ofWall(1)))))
                .isEqualTo(1);
        assertThat(lines()).endsWith("MISSED count 0.50 bar 1.00 missed");
    }

    @Test
    void aChartNamesProcessorDateAndCommit() throws Exception {
        run(group("drawn", report -> {
            Chart chart = new Chart("A title", "A note.");
            chart.panel("A panel");
            chart.bar("A bar", 1, "1", Side.OURS);
            report.chart(chart);
        }));

        assertThat(Files.readString(charts.resolve("drawn.svg")))
                .containsPattern(">Group drawn, quick run: .+, \\d+ processors, Java .+, "
                        + LocalDate.now(ZoneOffset.UTC).getYear() + "-\\d\\d-\\d\\d, commit .+\\.</text>");
    }

    @Test
    void theProcessorIsCalledAsItsMakerCallsIt() {
        assertThat(Machine.processor(List.of("processor\t: 0", "model name\t: AMD  EPYC 7B13", "model name\t: other")))
                .contains("AMD EPYC 7B13");
        assertThat(Machine.processor(List.of("processor\t: 0", "CPU part\t: 0xd40")))
                .isEmpty();
    }

    /** What a group reports. */
    @FunctionalInterface
    private interface Body {
        void run(Report report) throws Exception;
    }

    private static Group group(String name, Ratio ratio, Bar bar) {
        return group(name, report -> report.ratio(name, ratio, bar));
    }

    private static Group group(String name, Body body) {
        return new Group() {

            @Override
            public String name() {
                return name;
            }

            @Override
            public void run(Report report, boolean quick) throws Exception {
                body.run(report);
            }
        };
    }

    private int run(Group... groups) throws Exception {
        return Benchmarks.run(List.of(groups), charts, true, new PrintStream(said, true, StandardCharsets.UTF_8));
    }

    private List<String> lines() {
        return said.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
