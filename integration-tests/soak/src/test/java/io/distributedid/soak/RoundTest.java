package io.distributedid.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.soak.fault.Incidents.Group;
import io.distributedid.soak.report.RoundResult;
import io.distributedid.soak.topology.Node;
import io.distributedid.soak.topology.Topology;
import io.distributedid.soak.topology.TopologyKind;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short round with real servers, and one whose applications count for themselves, which must be found out. */
class RoundTest {

    private static final long SHORT = Duration.ofSeconds(4).toNanos();

    @TempDir
    Path folder;

    @Test
    @Needs(Need.MYSQL)
    void noIdIsGivenTwiceInAShortRoundOnRealServers() throws Exception {
        RoundResult result;
        try (Topology pair = TopologyKind.TICKET_PAIR.start(folder.resolve("servers"))) {
            result = round(pair, System.nanoTime() + SHORT);
        }

        assertThat(result.failure()).isEmpty();
        assertThat(result.ids().examples()).isEmpty();
        assertThat(result.ids().ids()).isGreaterThan(100);
        assertThat(result.order().examples()).isEmpty();
        // On a busy machine the round may end before its first fault. Which there are is shown by ScheduleTest.
        assertThat(result.isGood()).isTrue();
    }

    /** Three processes begin with 1,000,001 each: if this passed as good, no run would show anything. */
    @Test
    void applicationsThatCountForThemselvesAreFoundOut() throws Exception {
        RoundResult result = round(new NoServers(), System.nanoTime());

        assertThat(result.failure()).isEmpty();
        assertThat(result.ids().duplicates()).isPositive();
        assertThat(result.ids().examples()).isNotEmpty();
        assertThat(result.order().violations()).isPositive();
        assertThat(result.isGood()).isFalse();
    }

    private RoundResult round(Topology topology, long end) throws Exception {
        return new Round(1, "test", topology, folder.resolve("ledger")).run(42, end);
    }

    /** Each process has a counter in its memory. */
    private static final class NoServers implements Topology {

        @Override
        public List<Node> nodes() {
            return List.of();
        }

        @Override
        public List<Group> groups() {
            return List.of();
        }

        @Override
        public Map<String, String> settings() {
            return Map.of("distributedid.backend", "memory");
        }

        @Override
        public Map<String, String> differentSettings() {
            return settings();
        }

        @Override
        public boolean isCounted() {
            return true;
        }

        @Override
        public Duration bound() {
            return Duration.ofMillis(1);
        }

        @Override
        public Duration grace() {
            return Duration.ZERO;
        }

        @Override
        public boolean restartsServers() {
            return false;
        }
    }
}
