package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.WorkerStatistics;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.StateFileNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class StateFileTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private static final Pattern LEASE = Pattern.compile("@worker/0 \\S+ ([0-9]+) NONE (\\S+)");

    /** Long enough for a window to be renewed if it were. */
    private static final long REST_MILLIS = 300;

    @TempDir
    Path folder;

    private final SettableClock clock = new SettableClock(NOW);

    @Test
    void theFileIsAheadOfEveryId() throws Exception {
        try (DistributedIds ids = ids(30)) {
            ids.sequence("photos");
            for (int i = 1; i < 200; i++) {
                clock.move(Duration.ofMillis(i));
                Instant time = ids.decode("photos", ids.next("photos")).time().orElseThrow();

                assertThat(until()).isAfter(time);
            }
        }
    }

    @Test
    void aCleanStopWritesDownWhatWasUsed() throws Exception {
        Instant last;
        try (DistributedIds ids = ids(31)) {
            last = takeAfter(ids, Duration.ofMillis(900));
            assertThat(last).isEqualTo(clock.instant());
        }

        assertThat(until()).isEqualTo(last.plusMillis(1));
        assertThat(lease().group(2)).as("its owner").isEqualTo("-");
    }

    @Test
    void aStopWithoutIdsLeavesWhatWasUsedBefore() throws Exception {
        Instant last;
        try (DistributedIds ids = ids(39)) {
            last = takeAfter(ids, Duration.ofMillis(900));
        }
        clock.move(Duration.ofMillis(1));
        try (DistributedIds ids = ids(39)) {
            ids.sequence("photos");
        }

        assertThat(until()).isEqualTo(last.plusMillis(1));
    }

    @Test
    void anIdleProcessWritesNothing() throws Exception {
        try (DistributedIds ids = ids(43)) {
            takeAfter(ids, Duration.ofMillis(500));
            // Until the renewing thread has noticed that no more ids are taken.
            Await.until("no window is renewed", () -> {
                String former = content();
                clock.move(Duration.ofMillis(900));
                WorkerStatistics unused = worker(ids);
                Thread.sleep(REST_MILLIS);
                return content().equals(former);
            });
            String before = content();

            clock.move(Duration.ofMillis(100));
            assertThat(ids.next("photos")).isPositive();
            assertThat(content()).isNotEqualTo(before);
        }
    }

    @Test
    void afterACrashNoTimeIsUsedAgainThoughTheClockWasSetBack() throws Exception {
        long last;
        Path crashed = Files.createDirectory(folder.resolve("crashed"));
        try (DistributedIds ids = ids(32)) {
            takeAfter(ids, Duration.ofMillis(900));
            last = ids.next("photos");
            copyTo(crashed);
        }
        SettableClock setBack = new SettableClock(NOW.minusSeconds(3_600));
        Path state = crashed.resolve("state");
        try (DistributedIds ids = DistributedIds.builder()
                .settings(settings(32, state, Map.of()))
                .clock(setBack)
                .build()) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("The clock went back and ids are refused until it is right again: it is ")
                    .hasMessageContaining(" ms behind the time up to which worker=32 was reserved, clock="
                            + setBack.instant() + ", reserved until ")
                    .hasMessageContaining(
                            " (distributedid.snowflake.state_file=" + state + "), allowed: 2000 ms. Set the clock;");
            setBack.move(Duration.ofHours(2));
            ids.sequence("photos");
            setBack.move(Duration.ofMillis(1));
            assertThat(ids.next("photos")).isGreaterThan(last);
        }
    }

    /** A process that does not have the file may have had the number last, and was killed. */
    @Test
    void theFirstIdsLieAboveAllThatAProcessWithoutTheFileCanHaveMade() {
        for (int start = 0; start < 2; start++) {
            // A second and more would be a jump of the clock, if this machine is quick.
            clock.move(Duration.ofMillis(900));
            Instant opened = clock.instant();
            try (DistributedIds ids = ids(33)) {
                assertThat(takeAfter(ids, Duration.ofMillis(20))).isAfter(opened.plusMillis(100));
                clock.move(Duration.ofMillis(200));
                assertThat(takeAfter(ids, Duration.ZERO)).isEqualTo(clock.instant());
            }
        }
    }

    @Test
    void oneFileServesAllSequencesOfAProcess() {
        Map<String, String> more = Map.of("distributedid.seq.orders.snowflake.layout", "seconds");
        try (DistributedIds ids = ids(34, more)) {
            ids.sequence("photos");
            ids.sequence("orders");
            clock.move(Duration.ofSeconds(3));
            ids.next("photos");

            assertThat(ids.decode("orders", ids.next("orders")).field("worker")).isEqualTo(34);
        }
    }

    @Test
    void oneNumberIsRememberedByOneFile() {
        Path other = folder.resolve("other");
        Map<String, String> more = Map.of("distributedid.seq.orders.snowflake.state_file", other.toString());
        try (DistributedIds ids = ids(40, more)) {
            ids.sequence("photos");

            assertThatThrownBy(() -> ids.sequence("orders"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("Sequences with the same worker number must have the same state file:"
                            + " distributedid.snowflake.worker=40 has state_file=" + file()
                            + ", asked for with state_file=" + other
                            + ". Set distributedid.snowflake.state_file for all sequences");
        }
    }

    @Test
    void oneFileServesOneNumber() {
        Map<String, String> more = Map.of("distributedid.seq.orders.snowflake.worker", "36");
        String refusal = "A state file must belong to one worker number: distributedid.snowflake.state_file=" + file()
                + " belongs to worker=35, but was asked for by worker=%d. Give each worker number its own file";
        try (DistributedIds ids = ids(35, more)) {
            ids.sequence("photos");

            assertThatThrownBy(() -> ids.sequence("orders"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(refusal, 36);
        }
        try (DistributedIds ids = ids(37)) {
            assertThatThrownBy(() -> ids.sequence("photos")).hasMessage(refusal, 37);
        }
        clock.move(Duration.ofSeconds(2));
        try (DistributedIds ids = ids(35)) {
            assertThat(takeAfter(ids, Duration.ofMillis(20)))
                    .as("nobody holds it")
                    .isAfter(NOW);
        }
    }

    @Test
    void aFileInUseIsRefused() throws Exception {
        Map<String, String> settings = settings(38, file(), Map.of());
        String refusal = "The state file is in use: distributedid.snowflake.state_file=%s"
                + ". No two processes, or persistence units, may have the same worker number, and each has a file of"
                + " its own" + Pages.onCall("state-file");
        try (StateFileNode other = StateFileNode.start(folder, settings, folder);
                DistributedIds ids = DistributedIds.create(settings)) {
            Await.until("the other process takes ids", () -> other.taken() > 0, other::log);
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage(refusal, file());
            other.kill();

            assertThat(ids.next("photos")).isPositive();
            Path link = Files.createSymbolicLink(folder.resolve("link"), folder).resolve("state");
            try (DistributedIds byLink = DistributedIds.create(settings(48, link, Map.of()))) {
                assertThatThrownBy(() -> byLink.next("photos")).hasMessage(refusal, link);
            }
        }
    }

    @Test
    void aFileThatSomethingElseHasWrittenIsRefused() throws Exception {
        Files.writeString(file(), "17 worker=49 until=2026-11-21T11:59:10.026Z crc=1d2f3a4b");
        try (DistributedIds ids = ids(49)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The state file is damaged: distributedid.snowflake.state_file=" + file()
                            + ". Restore it, or give this process another worker number and state file. If the clock is"
                            + " right, and no process of this worker number was ahead of it, stop them all and delete"
                            + " the file" + Pages.onCall("state-file"));
        }
    }

    @Test
    void aFolderThatIsMissingIsRefused() {
        Path missing = folder.resolve("missing/state");
        try (DistributedIds ids = DistributedIds.create(settings(46, missing, Map.of()))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(
                            "The folder of the state file must exist: distributedid.snowflake.state_file=" + missing);
        }
    }

    @Test
    void withoutTheDiskIdsEndWithTheWindow() throws Exception {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Path state = inner.resolve("state");
        try (DistributedIds ids = DistributedIds.builder()
                .settings(settings(47, state, Map.of()))
                .clock(clock)
                .build()) {
            ids.sequence("photos");
            clock.move(Duration.ofMillis(200));
            long before = ids.next("photos");
            assertThat(worker(ids))
                    .isEqualTo(new WorkerStatistics(
                            47, clock.instant(), Optional.empty(), Optional.empty(), Optional.empty()));
            Files.move(inner, folder.resolve("gone"));
            clock.move(Duration.ofMillis(650));
            assertThat(ids.next("photos")).isGreaterThan(before);
            clock.move(Duration.ofMillis(150));

            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(inner.toString());
            WorkerStatistics failing = worker(ids);
            assertThat(failing.left()).contains(Duration.ofMillis(-100));
            assertThat(failing.failure().orElseThrow()).contains(inner.toString());
            Files.move(folder.resolve("gone"), inner);
            Await.until("the state file is written", () -> worker(ids).failure().isEmpty(), () -> worker(ids));
            assertThat(ids.next("photos")).isGreaterThan(before);
        }
    }

    private static WorkerStatistics worker(DistributedIds ids) {
        return ids.statistics("photos").orElseThrow().worker().orElseThrow();
    }

    /** Opens the sequence, moves the clock, and returns the time in an id. */
    private Instant takeAfter(DistributedIds ids, Duration by) {
        ids.sequence("photos");
        clock.move(by);
        return ids.decode("photos", ids.next("photos")).time().orElseThrow();
    }

    /** The files as a process leaves them that is killed now. */
    private void copyTo(Path target) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, target.resolve(file.getFileName()));
            }
        }
    }

    private Instant until() throws IOException {
        return Instant.ofEpochMilli(Long.parseLong(lease().group(1)));
    }

    /** The number of the row, and its text. */
    private Matcher lease() throws IOException {
        Matcher lease = LEASE.matcher(content());
        assertThat(lease.find()).isTrue();
        return lease;
    }

    private String content() throws IOException {
        return Files.readString(file());
    }

    private Path file() {
        return folder.resolve("state");
    }

    private DistributedIds ids(int worker) {
        return ids(worker, Map.of());
    }

    private DistributedIds ids(int worker, Map<String, String> more) {
        return DistributedIds.builder()
                .settings(settings(worker, file(), more))
                .clock(clock)
                .build();
    }

    private static Map<String, String> settings(int worker, Path file, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", Integer.toString(worker));
        settings.put("distributedid.snowflake.state_file", file.toString());
        return settings;
    }
}
