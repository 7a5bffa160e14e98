package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class FlightRecorderTest {

    @TempDir
    Path folder;

    @Test
    void fetchesWaitsAndFailoversAreRecorded() throws Exception {
        H2Servers.drop("odd", "even");
        List<RecordedEvent> events;
        String out;
        H2Servers first = H2Servers.start();
        H2Servers second = H2Servers.start();
        try (Recording recording = recording()) {
            out = first.url("odd").split(";", 2)[0];
            try (DistributedIds ids = DistributedIds.create(Map.of(
                    "distributedid.backend", "ticket",
                    "distributedid.ticket.servers", first.url("odd") + "," + second.url("even"),
                    "distributedid.ticket.numbering", "client",
                    "distributedid.create_tables", "true",
                    "distributedid.block.max", "1",
                    "distributedid.timeout", "5s",
                    "distributedid.block.timeout", "5s"))) {
                Await.until("the first server gave an id", () -> ids.next("events") % 2 == 1);
                first.close();
                ids.next("events");
                ids.next("events");
                second.close();
                assertThatThrownBy(() -> ids.next("events")).isInstanceOf(IdUnavailableException.class);
            }
            events = dump(recording, "seq", "events");
        } finally {
            first.close();
            second.close();
        }

        List<RecordedEvent> fetches = named(events, "io.distributedid.Fetch");
        assertThat(fetches).anySatisfy(good -> {
            assertThat(good.getString("server")).isEqualTo(out);
            assertThat(good.getLong("wanted")).isEqualTo(1);
            assertThat(good.getLong("got")).isEqualTo(1);
            assertThat(good.getString("error")).isNull();
            assertThat(good.getDuration()).isPositive();
            assertThat(good.getEventType().getCategoryNames()).containsExactly("Distributed Ids");
        });
        assertThat(fetches).anySatisfy(bad -> {
            assertThat(bad.getLong("got")).isZero();
            assertThat(bad.getString("error"))
                    .startsWith("io.distributedid.IdUnavailableException: No server gives ids; jdbc:h2:tcp:");
        });
        assertThat(named(events, "io.distributedid.Failover")).anySatisfy(failover -> {
            assertThat(failover.getString("server")).isEqualTo(out);
            assertThat(failover.getString("error")).isNotBlank();
        });
        assertThat(named(events, "io.distributedid.Wait"))
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(wait -> assertThat(wait.getDuration()).isPositive());
    }

    @Test
    void windowsAreRecorded() throws Exception {
        H2Servers.drop("events");
        List<RecordedEvent> events;
        try (Recording recording = recording()) {
            try (DistributedIds ids = DistributedIds.create(Map.of(
                    "distributedid.backend",
                    "snowflake",
                    "distributedid.snowflake.worker",
                    "lease",
                    "distributedid.snowflake.lease.server",
                    "jdbc:h2:mem:events;DB_CLOSE_DELAY=-1",
                    "distributedid.create_tables",
                    "true"))) {
                ids.next("events");
            }
            events = dump(recording, "store", "distributedid on jdbc:h2:mem:events");
        }

        assertThat(named(events, "io.distributedid.Window")).singleElement().satisfies(window -> {
            assertThat(window.getLong("worker")).isZero();
            assertThat(window.getInstant("until"))
                    .isEqualTo(window.getInstant("from").plusSeconds(60));
        });
    }

    private static Recording recording() {
        Recording recording = new Recording();
        for (String name : List.of("Fetch", "Wait", "Failover", "Window")) {
            recording.enable("io.distributedid." + name).withThreshold(Duration.ZERO);
        }
        recording.start();
        return recording;
    }

    /** Other tests of this JVM may run sequences of other names. */
    private List<RecordedEvent> dump(Recording recording, String field, String value) throws IOException {
        recording.stop();
        Path file = folder.resolve("events.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.hasField(field) && value.equals(event.getString(field)))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .collect(Collectors.toList());
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .collect(Collectors.toList());
    }
}
