package io.distributedid.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.WorkerStatistics;
import io.distributedid.testkit.ContractNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private static final Pattern UNTIL = Pattern.compile("until=(\\S+)");

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

                assertThat(newestUntil()).isAfter(time);
            }
        }
    }

    @Test
    void aCleanStopWritesDownWhatWasUsed() throws Exception {
        Instant last;
        try (DistributedIds ids = ids(31)) {
            ids.sequence("photos");
            clock.move(Duration.ofSeconds(5));
            last = ids.decode("photos", ids.next("photos")).time().orElseThrow();
            assertThat(last).isEqualTo(clock.instant());
        }

        assertThat(Files.readString(file()))
                .contains(" worker=31 until=" + last.plusMillis(1) + " crc=")
                .hasSize(1024);
        assertThat(StateFile.open(file(), "worker=31").until()).hasValue(last.toEpochMilli() + 1);
    }

    @Test
    void aStopWithoutIdsLeavesWhatWasUsedBefore() throws Exception {
        try (DistributedIds ids = ids(39)) {
            ids.sequence("photos");
            clock.move(Duration.ofSeconds(5));
            ids.next("photos");
        }
        clock.move(Duration.ofHours(-1));
        try (DistributedIds ids = ids(39)) {
            ids.sequence("photos");
        }

        try (StateFile file = StateFile.open(file(), "worker=39")) {
            assertThat(file.until()).hasValue(NOW.plusSeconds(5).toEpochMilli() + 1);
        }
    }

    @Test
    void afterACrashNoTimeIsUsedAgainThoughTheClockWasSetBack() throws Exception {
        long last;
        Path crashed;
        try (DistributedIds ids = ids(32)) {
            ids.sequence("photos");
            clock.move(Duration.ofSeconds(5));
            last = ids.next("photos");
            crashed = Files.copy(file(), folder.resolve("crashed"));
        }
        SettableClock setBack = new SettableClock(NOW.minusSeconds(3_600));
        StateFileWorker worker =
                StateFileWorker.start(StateFile.open(crashed, "worker=32"), 32, setBack, OptionalLong.empty());
        SnowflakeGenerator generator = Snowflakes.generator(worker, setBack);

        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("The clock went back and ids are refused until it is right again: it is ");
        setBack.move(Duration.ofHours(2));
        assertThat(generator.next(0)).isGreaterThan(last);
        worker.release(generator.close());
    }

    @Test
    void aNewFileKnowsNothingOfAPredecessorWhichMayHaveBorrowed() {
        StateFileWorker worker =
                StateFileWorker.start(StateFile.open(file(), "worker=33"), 33, clock, OptionalLong.empty());

        assertThat(worker.isFresh()).isFalse();
        assertThat(worker.window().from()).isEqualTo(NOW.toEpochMilli());
        worker.release(NOW.toEpochMilli());
        StateFileWorker next =
                StateFileWorker.start(StateFile.open(file(), "worker=33"), 33, clock, OptionalLong.empty());
        assertThat(next.isFresh()).isTrue();
        next.release(NOW.toEpochMilli());
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
    void sequencesThatShareACounterMustShareAFile() {
        Map<String, String> more = Map.of(
                "distributedid.snowflake.counter", "shared",
                "distributedid.seq.orders.snowflake.worker", "42",
                "distributedid.seq.orders.snowflake.state_file",
                        folder.resolve("other").toString());
        try (DistributedIds ids = ids(41, more)) {
            ids.sequence("photos");

            assertThatThrownBy(() -> ids.sequence("orders"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "Sequences that share a counter must have the same layout, max_ahead,"
                                    + " clock_tolerance, worker, and lease settings or state_file: orders has other ones than photos. ");
            assertThat(folder.resolve("other")).doesNotExist();
        }
    }

    @Test
    void oneFileServesOneNumber() {
        Map<String, String> more = Map.of("distributedid.seq.orders.snowflake.worker", "36");
        try (DistributedIds ids = ids(35, more)) {
            ids.sequence("photos");

            assertThatThrownBy(() -> ids.sequence("orders"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A state file must belong to one worker number: distributedid.snowflake.state_file="
                            + file() + " is of worker=35, asked for by worker=36. Give it a file of its own");
        }
        assertThatThrownBy(() -> StateFile.open(file(), "worker=37"))
                .hasMessageContaining(" is of worker=35, asked for by worker=37.");
    }

    @Test
    void aFileInUseIsRefused() throws Exception {
        Map<String, String> settings = settings(38, Map.of());
        String refusal = "The state file is in use: distributedid.snowflake.state_file=" + file()
                + ". No two processes, or persistence units, may have the same worker number, and each has a file of its"
                + " own";
        try (ContractNode other = ContractNode.start(folder, settings, "photos", 1, 1);
                DistributedIds ids = DistributedIds.create(settings)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage(refusal);
            other.go();
            other.ids(1);

            assertThat(ids.next("photos")).isPositive();
            assertThatThrownBy(() -> StateFile.open(file(), "worker=38")).hasMessage(refusal);
        }
    }

    @Test
    void aLineThatWasHalfWrittenDoesNotCount() throws Exception {
        try (StateFile file = StateFile.open(file(), "worker=1")) {
            assertThat(file.until()).isEmpty();
            file.write(1_000);
            file.write(2_000);
            file.write(1_500);
        }
        overwrite(Files.readString(file()).replace("3 worker=1", "9 worker=1"));

        try (StateFile file = StateFile.open(file(), "worker=1")) {
            assertThat(file.until()).hasValue(2_000);
            file.write(3_000);
        }
        try (StateFile file = StateFile.open(file(), "worker=1")) {
            assertThat(file.until()).hasValue(3_000);
        }
    }

    @Test
    void aFileThatCannotBeReadIsRefused() throws Exception {
        overwrite("something else\n");

        assertThatThrownBy(() -> StateFile.open(file(), "worker=1"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "The state file can't be read: distributedid.snowflake.state_file=" + file()
                                + ". If the clock is right, and no process of this worker number was ahead of it, delete the file");
        assertThatThrownBy(() -> StateFile.open(folder.resolve("missing/file"), "worker=1"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The state file can't be used: distributedid.snowflake.state_file=" + folder);
    }

    @Test
    void withoutTheDiskIdsEndWithTheWindow() throws Exception {
        StateFile file = StateFile.open(file(), "worker=1");
        StateFileWorker worker = StateFileWorker.start(file, 1, clock, OptionalLong.of(0));
        SnowflakeGenerator generator = Snowflakes.generator(worker, clock);
        long before = generator.next(0);
        file.close();
        clock.move(Duration.ofMillis(900));
        assertThat(generator.next(0)).isGreaterThan(before);
        assertThat(worker.statistics(clock.instant()))
                .isEqualTo(
                        new WorkerStatistics(1, clock.instant(), Optional.empty(), Optional.empty(), Optional.empty()));
        clock.move(Duration.ofMillis(200));

        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage(
                        "The state file can't be written: " + file() + ": java.nio.channels.ClosedChannelException");
        WorkerStatistics failing = worker.statistics(clock.instant());
        assertThat(failing.left()).contains(Duration.ofMillis(-100));
        assertThat(failing.failure())
                .contains("The state file can't be written: " + file() + ": java.nio.channels.ClosedChannelException");
        worker.release(generator.close());
        assertThatThrownBy(() -> worker.await(worker.window(), 0)).hasMessage("The source of ids is closed: worker=1");
    }

    private Instant newestUntil() throws IOException {
        Matcher matcher = UNTIL.matcher(Files.readString(file()));
        Instant newest = Instant.MIN;
        while (matcher.find()) {
            Instant found = Instant.parse(matcher.group(1));
            newest = found.isAfter(newest) ? found : newest;
        }
        return newest;
    }

    private void overwrite(String text) throws IOException {
        Files.write(file(), text.getBytes(StandardCharsets.UTF_8));
    }

    private Path file() {
        return folder.resolve("state");
    }

    private DistributedIds ids(int worker) {
        return ids(worker, Map.of());
    }

    private DistributedIds ids(int worker, Map<String, String> more) {
        return DistributedIds.builder()
                .settings(settings(worker, more))
                .clock(clock)
                .build();
    }

    private Map<String, String> settings(int worker, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", Integer.toString(worker));
        settings.put("distributedid.snowflake.state_file", file().toString());
        return settings;
    }
}
