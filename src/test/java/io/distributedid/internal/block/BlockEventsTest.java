package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder keeps of one sequence. */
class BlockEventsTest {

    @TempDir
    Path folder;

    @Test
    void fetchesAndWaitsAreRecordedWithTheirTimes() throws Exception {
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.enable("io.distributedid.Fetch").withThreshold(Duration.ZERO);
            recording.enable("io.distributedid.Wait").withThreshold(Duration.ZERO);
            recording.start();
            fetchTwice();
            WaitStatistics.Wait wait = new WaitStatistics("recorded", System::nanoTime, time -> {}).ofCall();
            wait.begin();
            LockSupport.parkNanos(1_000_000);
            wait.end();
            recording.stop();
            Path file = folder.resolve("events.jfr");
            recording.dump(file);
            events = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getString("seq").equals("recorded"))
                    .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                    .toList();
        }

        assertThat(events)
                .hasSize(3)
                .allSatisfy(event -> assertThat(event.getDuration()).isPositive());
        RecordedEvent good = events.get(0);
        assertThat(good.getString("server")).isEqualTo("t1");
        assertThat(good.getLong("wanted")).isEqualTo(8);
        assertThat(good.getLong("got")).isEqualTo(4);
        assertThat(good.getString("error")).isNull();
        RecordedEvent bad = events.get(1);
        assertThat(bad.getLong("got")).isZero();
        assertThat(bad.getString("error")).isEqualTo("java.sql.SQLException: down");
        assertThat(events.get(2).getEventType().getName()).isEqualTo("io.distributedid.Wait");
    }

    private static void fetchTwice() {
        ManualScheduler scheduler = new ManualScheduler();
        scheduler.direct = 1;
        BlockBuffer buffer = LoneBuffer.of(
                new Sequence("recorded", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of())),
                new OneBlock(),
                new BlockPolicy(8, 8, Optional.empty(), Duration.ofSeconds(1)),
                scheduler,
                System::nanoTime);
        buffer.next();
        buffer.next();
        scheduler.runNext();
    }

    private static final class OneBlock implements BlockSource {

        private boolean given;

        @Override
        public Block reserve(long wanted) throws SQLException {
            LockSupport.parkNanos(1_000_000);
            if (given) {
                throw new SQLException("down");
            }
            given = true;
            return new Block(1, 1, 4);
        }

        @Override
        public String server() {
            return "t1";
        }
    }
}
