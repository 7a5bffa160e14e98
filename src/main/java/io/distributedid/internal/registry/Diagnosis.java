package io.distributedid.internal.registry;

import io.distributedid.BlockStatistics;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.WorkerStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What statistics say of the health of a sequence. DOWN if the next call would fail: the clock is wrong, the reserve is empty and could
 * not be filled, the window is over. DEGRADED if that is to be feared: a server is out, or reserve or window can't be renewed.
 */
final class Diagnosis {

    private record Finding(Status status, String reason) {}

    private final List<Finding> findings = new ArrayList<>();

    private Diagnosis() {}

    static SequenceHealth of(String sequence, SequenceStatistics statistics) {
        Diagnosis diagnosis = new Diagnosis();
        statistics.refusal().ifPresent(reason -> diagnosis.add(Status.DOWN, reason));
        statistics.blocks().ifPresent(diagnosis::judge);
        statistics.worker().ifPresent(diagnosis::judge);
        statistics.servers().forEach(diagnosis::judge);
        return new SequenceHealth(sequence, diagnosis.worst(), diagnosis.reason());
    }

    /** One line, whatever a server said. */
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
        String number = "worker number " + worker.number();
        worker.left()
                .filter(left -> left.compareTo(Duration.ZERO) <= 0)
                .ifPresentOrElse(
                        over -> add(
                                Status.DOWN,
                                line(
                                        "the window of " + number + " is over",
                                        worker.failure().orElse("it was not renewed yet"))),
                        () -> worker.failure()
                                .ifPresent(failure -> add(
                                        Status.DEGRADED,
                                        line(
                                                "the window of " + number + " can't be renewed" + secondsLeft(worker),
                                                failure))));
    }

    private static String secondsLeft(WorkerStatistics worker) {
        return worker.left()
                .map(left -> String.format(Locale.ROOT, " and ends in %.1f s", left.toMillis() / 1000.0))
                .orElse("");
    }

    private void judge(ServerStatistics server) {
        server.failure().ifPresent(failure -> add(Status.DEGRADED, line(server.server() + " is left out", failure)));
    }

    private void add(Status status, String reason) {
        findings.add(new Finding(status, reason));
    }

    private Status worst() {
        return findings.stream().map(Finding::status).max(Status::compareTo).orElse(Status.UP);
    }

    private String reason() {
        return findings.stream().map(Finding::reason).collect(Collectors.joining("; "));
    }
}
