package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.BlockStatistics;
import io.distributedid.CapacityStatistics;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.TenureStatistics;
import io.distributedid.WorkerStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HealthRulesTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @Test
    void whoHasNothingWrongIsUp() {
        assertHealth(SequenceStatistics.NONE, "photos UP");
        assertHealth(of(blocks(0, null), null), "photos UP");
        assertHealth(of(null, worker(NOW.plusSeconds(1), null)), "photos UP");
        assertHealth(of(null, worker(null, null)), "photos UP");
    }

    @Test
    void aReserveThatCannotBeFilledDegradesUntilItIsEmpty() {
        assertHealth(
                of(blocks(7, "refused"), null), "photos DEGRADED: the last fetch failed and 7 ids are left: refused");
        assertHealth(
                of(blocks(0, "refused\n  by t1"), null),
                "photos DOWN: the last fetch failed and 0 ids are left: refused by t1");
    }

    @Test
    void aWindowThatCannotBeRenewedDegradesUntilItIsOver() {
        assertHealth(
                of(null, worker(NOW.plusMillis(12_340), "store is away")),
                "photos DEGRADED: the window of worker number 7 can't be renewed and ends in 12.3 s: store is away");
        assertHealth(
                of(null, worker(NOW, "store is away")),
                "photos DOWN: the window of worker number 7 is over: store is away");
        assertHealth(
                of(null, worker(NOW.minusSeconds(1), null)),
                "photos DOWN: the window of worker number 7 is over: it has not been renewed yet");
    }

    @Test
    void serversThatAreOutDegradeAndTheWorstCounts() {
        List<ServerStatistics> servers = List.of(server("t1", null), server("t2", "refused"));
        assertHealth(of(blocks(7, null), null).withServers(servers), "photos DEGRADED: t2 is left out: refused");
        assertHealth(
                of(blocks(0, "no server"), null).withServers(servers),
                "photos DOWN: the last fetch failed and 0 ids are left: no server; t2 is left out: refused");
    }

    @Test
    void aCallThatWouldBeRefusedIsTheEnd() {
        assertHealth(
                new SequenceStatistics(
                        1,
                        0,
                        Duration.ZERO,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.of("The clock went back"),
                        Optional.empty(),
                        Optional.empty()),
                "photos DOWN: The clock went back");
    }

    @Test
    void aLayoutThatRunsOutWithinAYearDegrades() {
        assertHealth(time(Duration.ofDays(365)), "photos UP");
        assertHealth(
                time(Duration.ofDays(365).minusMillis(1)),
                "photos DEGRADED: the layout runs out of time at 2027-11-21T11:59:59.999Z, in 364 days: move to a"
                        + " layout with more bits of time");
        assertHealth(
                time(Duration.ofDays(-2)),
                "photos DOWN: the layout runs out of time at 2026-11-19T12:00:00Z, in -2 days: move to a layout"
                        + " with more bits of time");
    }

    private static SequenceStatistics time(Duration left) {
        return SequenceStatistics.NONE.withCapacity(Optional.of(CapacityStatistics.ofTime(1_000, NOW.plus(left), NOW)));
    }

    @Test
    void aCounterNearTheEndOfItsTypeDegrades() {
        assertHealth(counter(Integer.MAX_VALUE, OptionalLong.empty()), "photos UP");
        assertHealth(counter(Integer.MAX_VALUE, OptionalLong.of(1_932_735_283)), "photos UP");
        assertHealth(
                counter(Integer.MAX_VALUE, OptionalLong.of(1_932_735_284)),
                "photos DEGRADED: only 214748363 ids are left up to 2147483647, the largest that fits: give the ids a"
                        + " wider type");
        assertHealth(
                counter(100, OptionalLong.of(107)),
                "photos DEGRADED: only 0 ids are left up to 100, the largest that fits: give the ids a wider type");
    }

    private static SequenceStatistics counter(long max, OptionalLong last) {
        return SequenceStatistics.NONE.withCapacity(Optional.of(CapacityStatistics.ofCounter(max, last)));
    }

    @Test
    void aProcessThatStandsByIsWellIfItCanTakeOver() {
        assertHealth(tenure(false, "ids1", null, null), "photos UP: standby, active is ids1");
        assertHealth(
                tenure(false, "ids1", null, "refused\n by t2"),
                "photos DEGRADED: standby, active is ids1: refused by t2");
        assertHealth(tenure(false, null, null, "refused"), "photos DOWN: standby, active is no process: refused");
    }

    @Test
    void anActiveProcessIsDownWhenItsLeaseIsOver() {
        Duration left = Duration.ofMillis(1);
        assertHealth(tenure(true, "ids1", left, null), "photos UP");
        assertHealth(
                tenure(true, "ids1", left, "refused"),
                "photos DEGRADED: the lease of this process can't be renewed and ends in 0.0 s: refused");
        assertHealth(
                tenure(true, "ids1", Duration.ZERO, "refused"),
                "photos DOWN: the lease of this process is over: refused");
        assertHealth(
                tenure(true, "ids1", Duration.ZERO, null),
                "photos DOWN: the lease of this process is over: it has not been renewed yet");
    }

    private static SequenceStatistics tenure(boolean isActive, String active, Duration left, String failure) {
        return new SequenceStatistics(
                1,
                0,
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new TenureStatistics(
                        isActive,
                        Optional.ofNullable(active),
                        Optional.ofNullable(left),
                        1,
                        Optional.ofNullable(failure))));
    }

    private static void assertHealth(SequenceStatistics statistics, String expected) {
        assertThat(HealthRules.judge("photos", statistics)).hasToString(expected);
    }

    private static SequenceStatistics of(BlockStatistics blocks, WorkerStatistics worker) {
        return new SequenceStatistics(
                1,
                0,
                Duration.ZERO,
                Optional.ofNullable(blocks),
                Optional.ofNullable(worker),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static BlockStatistics blocks(long reserve, String failure) {
        return new BlockStatistics(10, reserve, 0, 0, 1, 0, Duration.ZERO, Optional.ofNullable(failure));
    }

    private static WorkerStatistics worker(Instant until, String failure) {
        return new WorkerStatistics(7, NOW, Optional.ofNullable(until), Optional.empty(), Optional.ofNullable(failure));
    }

    private static ServerStatistics server(String name, String failure) {
        return new ServerStatistics(name, 1, 0, 0, OptionalLong.empty(), Optional.ofNullable(failure));
    }
}
