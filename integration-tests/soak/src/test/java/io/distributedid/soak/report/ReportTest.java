package io.distributedid.soak.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.soak.fault.Fault;
import io.distributedid.soak.fault.Incident;
import io.distributedid.soak.ledger.CallAudit;
import io.distributedid.soak.ledger.CallAudit.Kind;
import io.distributedid.soak.ledger.Entry;
import io.distributedid.soak.ledger.IdAudit;
import io.distributedid.soak.ledger.OrderAudit;
import io.distributedid.soak.ledger.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    private static final long SECOND = 1_000_000_000;

    private static final Report.Run RUN = new Report.Run(
            "mvn -Psoak verify -Dsoak.minutes=1 -Dsoak.seed=42",
            "abc",
            "a machine",
            Duration.ofMinutes(1),
            List.of("a topology. There is no pgbouncer: apt-get install pgbouncer"),
            List.of());

    @TempDir
    Path folder;

    private static RoundResult round(Entry... entries) {
        OrderAudit order = new OrderAudit(0, 60 * SECOND, 1, Duration.ofSeconds(3), entry -> false);
        CallAudit calls = new CallAudit(entry -> Kind.SERVER_UP, (process, reason) -> "Closed | for ever");
        Timeline timeline = new Timeline(0, 60 * SECOND);
        for (Entry entry : entries) {
            order.learn(entry);
            calls.judge(entry);
            timeline.add(entry);
        }
        List.of(entries).forEach(order::judge);
        return new RoundResult(
                1,
                "two <servers>",
                3,
                Duration.ofSeconds(3),
                IdAudit.of(
                        List.of(entries).stream()
                                .filter(entry -> !entry.isRefused())
                                .iterator(),
                        1),
                order,
                calls,
                Optional.of(new Gaps(1, 9_999_999, 70, 40, 20, 5)),
                List.of(new Incident(SECOND, 9 * SECOND, Fault.SERVER_KILLED, "MySQL 1", Set.of("MySQL 1"))),
                timeline,
                Optional.empty());
    }

    private static Entry ids(int second, long first, int count) {
        return new Entry(second * SECOND, second * SECOND + 3_000_000, first, 1, count, 1);
    }

    @Test
    void aGoodRunIsSummedUp() throws Exception {
        Path written = Report.write(folder, RUN, List.of(round(ids(1, 1, 1_000), ids(5, 2_000, 500))));

        assertThat(Files.readString(written))
                .startsWith("# Report of a soak run: no promise was broken\n")
                .contains("| command | `mvn -Psoak verify -Dsoak.minutes=1 -Dsoak.seed=42` |")
                .contains("| ids | 1,500 |")
                .contains("| **ids given twice** | **0** |")
                .contains("**SKIPPED:** a topology. There is no pgbouncer: apt-get install pgbouncer")
                .contains("| a server is killed (kill -9) and started again | 1 |")
                .contains("| a server stands still (SIGSTOP) | **never** |")
                .contains("| other: lost answers, servers that were tried | 5 |")
                .contains("![Ids, waits and faults over time](report.svg)")
                .doesNotContain("## Round 1");
        assertThat(isXml(folder.resolve("report.svg"))).isTrue();
    }

    @Test
    void aDuplicateIsInTheHeadingAndInFull() throws IOException {
        String text = Report.of(RUN, List.of(round(ids(1, 1, 10), ids(5, 10, 1))));

        assertThat(text)
                .startsWith("# Report of a soak run: LOOK INTO THIS\n")
                .contains("| **ids given twice** | **1** |")
                .contains("## Round 1")
                .contains("- twice: id=10 " + ids(1, 1, 10) + " and " + ids(5, 10, 1))
                .contains("- fault: 1.0 s to 9.0 s SERVER_KILLED MySQL 1");
    }

    @Test
    void callsThatWereRefusedAreListedByTheirReasons() {
        String text = Report.of(RUN, List.of(round(ids(1, 1, 1), Entry.refused(2 * SECOND, 3 * SECOND, 0, 1))));

        assertThat(text)
                .contains("| calls refused while enough servers were up | 1 |")
                .contains("- 1 x `Closed | for ever`");
    }

    @Test
    void aRoundThatCouldNotBeginIsInTheHeading() {
        Report.Run run = new Report.Run("", "", "", Duration.ofMinutes(1), List.of(), List.of("Round 2: no server"));

        assertThat(Report.of(run, List.of(round(ids(1, 1, 10)))))
                .startsWith("# Report of a soak run: LOOK INTO THIS\n")
                .contains("**FAILED:** Round 2: no server");
    }

    @Test
    void aRunWithoutARoundIsNotGood() {
        assertThat(Report.of(RUN, List.of())).startsWith("# Report of a soak run: LOOK INTO THIS\n");
    }

    private static boolean isXml(Path file) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement()
                .getTagName()
                .equals("svg");
    }
}
