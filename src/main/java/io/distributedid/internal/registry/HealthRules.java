package io.distributedid.internal.registry;

import io.distributedid.BlockStatistics;
import io.distributedid.CapacityStatistics;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.TenureStatistics;
import io.distributedid.WorkerStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Derives the health of a sequence from its statistics. DOWN: the next call would fail, because the clock is wrong, the
 * reserve is empty and could not be filled, or the window is over. DEGRADED: calls may soon fail, because a server is
 * left out, the reserve or the window can't be renewed, or the sequence soon runs out of ids.
 */
final class HealthRules {

    /** Long enough to move to another layout. */
    private static final Duration LAST_YEAR = Duration.ofDays(365);

    /** A counter with less than this part of its ids left is at its end. */
    private static final int LAST_PART = 10;

    private record Reason(Status status, String text) {}

    private final List<Reason> reasons = new ArrayList<>();

    private HealthRules() {}

    static SequenceHealth judge(String sequence, SequenceStatistics statistics) {
        HealthRules rules = new HealthRules();
        statistics.refusal().ifPresent(reason -> rules.add(Status.DOWN, reason));
        statistics.blocks().ifPresent(rules::judge);
        statistics.worker().ifPresent(rules::judge);
        statistics.tenure().ifPresent(rules::judge);
        statistics.servers().forEach(rules::judge);
        statistics.capacity().ifPresent(rules::judge);
        return new SequenceHealth(sequence, rules.worst(), rules.reason(), statistics);
    }

    /** Joins the texts on one line: messages of servers may have several. */
    static String line(String what, String why) {
        return (what + ": " + why).replaceAll("\\s+", " ").strip();
    }

    private void judge(BlockStatistics blocks) {
        blocks.failure()
                .ifPresent(failure -> add(
                        blocks.reserve() == 0 ? Status.DOWN : Status.DEGRADED,
                        line("the last fetch failed and " + blocks.reserve() + " ids are left", failure)));
    }

    private void judge(WorkerStatistics worker) {
        judge("the window of worker number " + worker.number(), worker.left(), worker.failure());
    }

    /** A process that stands by is well: ids are given elsewhere, and it takes over if it has to. */
    private void judge(TenureStatistics tenure) {
        if (tenure.isActive()) {
            judge("the lease of this process", tenure.left(), tenure.failure());
            return;
        }
        String standby = "standby, active is " + tenure.active().orElse("no process");
        boolean isReady = tenure.failure().isEmpty() && tenure.active().isPresent();
        add(
                isReady ? Status.UP : tenure.active().isPresent() ? Status.DEGRADED : Status.DOWN,
                tenure.failure().map(failure -> line(standby, failure)).orElse(standby));
    }

    /** A right that ends. */
    private void judge(String right, Optional<Duration> left, Optional<String> failure) {
        if (left.filter(time -> time.compareTo(Duration.ZERO) <= 0).isPresent()) {
            add(Status.DOWN, line(right + " is over", failure.orElse("it has not been renewed yet")));
        } else if (failure.isPresent()) {
            String end = left.map(time -> String.format(Locale.ROOT, " and ends in %.1f s", time.toMillis() / 1000.0))
                    .orElse("");
            add(Status.DEGRADED, line(right + " can't be renewed" + end, failure.get()));
        }
    }

    private void judge(ServerStatistics server) {
        server.failure().ifPresent(failure -> add(Status.DEGRADED, line(server.server() + " is left out", failure)));
    }

    private void judge(CapacityStatistics capacity) {
        capacity.timeLeft()
                .filter(left -> left.compareTo(LAST_YEAR) < 0)
                .ifPresent(left -> add(
                        left.compareTo(Duration.ZERO) <= 0 ? Status.DOWN : Status.DEGRADED,
                        "the layout runs out of time at " + capacity.until().orElseThrow() + ", in " + left.toDays()
                                + " days: move to a layout with more bits of time"));
        capacity.idsLeft().stream()
                .filter(left -> left < capacity.maxId() / LAST_PART)
                .forEach(left -> add(
                        Status.DEGRADED,
                        "only " + left + " ids are left up to " + capacity.maxId()
                                + ", the largest that fits: give the ids a wider type"));
    }

    private void add(Status status, String reason) {
        reasons.add(new Reason(status, reason));
    }

    private Status worst() {
        return reasons.stream().map(Reason::status).max(Status::compareTo).orElse(Status.UP);
    }

    private String reason() {
        return reasons.stream().map(Reason::text).collect(Collectors.joining("; "));
    }
}
