package io.distributedid.soak;

import io.distributedid.soak.application.ApplicationProcess;
import io.distributedid.soak.application.Applications;
import io.distributedid.soak.fault.Fault;
import io.distributedid.soak.fault.Incident;
import io.distributedid.soak.fault.Incidents;
import io.distributedid.soak.fault.Nemesis;
import io.distributedid.soak.ledger.CallAudit;
import io.distributedid.soak.ledger.CallAudit.Kind;
import io.distributedid.soak.ledger.Entry;
import io.distributedid.soak.ledger.IdAudit;
import io.distributedid.soak.ledger.Ledger;
import io.distributedid.soak.ledger.OrderAudit;
import io.distributedid.soak.ledger.SortedEntries;
import io.distributedid.soak.ledger.Timeline;
import io.distributedid.soak.report.Gaps;
import io.distributedid.soak.report.RoundResult;
import io.distributedid.soak.topology.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One topology, its applications, and the faults that hit them: what they gave goes into a ledger, which is judged. */
final class Round {

    private static final int APPLICATIONS = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final int number;

    private final String name;

    private final Topology topology;

    private final Path folder;

    private final Incidents incidents = new Incidents();

    /** @param folder keeps the ledger */
    Round(int number, String name, Topology topology, Path folder) {
        this.number = number;
        this.name = name;
        this.topology = topology;
        this.folder = folder;
    }

    /**
     * Runs it.
     *
     * @param end when no more faults begin, by {@link System#nanoTime()}
     */
    RoundResult run(long seed, long end) throws Exception {
        Files.createDirectories(folder);
        long began = System.nanoTime();
        try (Applications applications = new Applications(folder, topology.counters())) {
            Optional<String> failure = Optional.empty();
            try {
                for (int place = 0; place < APPLICATIONS; place++) {
                    applications.start(place, topology.settings());
                }
                applications.awaitIds(PATIENCE);
                Nemesis.run(topology, applications, APPLICATIONS, incidents, seed, end);
                applications.awaitIds(PATIENCE);
                applications.stop();
            } catch (Exception | AssertionError e) {
                failure = Optional.of(e.toString());
                // The ledger is judged all the same.
                e.printStackTrace();
                applications.killAll();
            }
            return judge(applications, began, System.nanoTime(), failure);
        }
    }

    private RoundResult judge(Applications applications, long began, long ended, Optional<String> failure)
            throws IOException {
        noteStandstills(applications);
        Ledger ledger = new Ledger(folder);
        OrderAudit order = new OrderAudit(began, ended, topology.counters(), topology.bound(), entry -> !isUp(entry));
        CallAudit calls = new CallAudit(entry -> kind(applications, entry), reasons(applications)::text);
        Timeline timeline = new Timeline(began, ended);
        ledger.forEach(entry -> {
            order.learn(entry);
            calls.judge(entry);
            timeline.add(entry);
        });
        ledger.forEach(order::judge);
        IdAudit ids;
        try (SortedEntries sorted = ledger.sorted(Ledger.IN_MEMORY)) {
            ids = IdAudit.of(sorted, topology.counters());
        }
        List<ApplicationProcess> all = applications.all();
        return new RoundResult(
                number,
                name,
                all.size(),
                topology.bound(),
                ids,
                order,
                calls,
                topology.isCounted() ? Optional.of(Gaps.of(ids, all)) : Optional.empty(),
                incidents.all(),
                timeline,
                failure);
    }

    /** Those that no fault has caused. */
    private void noteStandstills(Applications applications) throws IOException {
        for (ApplicationProcess process : applications.all()) {
            String name = Applications.name(process.number());
            for (Entry still : process.standstills()) {
                if (incidents.isUp(name, still.begin(), still.end(), Duration.ZERO)) {
                    incidents.add(new Incident(still.begin(), still.end(), Fault.STARVED, name, Set.of(name)));
                }
            }
        }
    }

    private Kind kind(Applications applications, Entry entry) {
        if (applications.isMisconfigured(entry.process())) {
            return Kind.MISCONFIGURED;
        }
        return isUp(entry) ? Kind.SERVER_UP : Kind.SERVER_DOWN;
    }

    /**
     * If not, no order is promised: while no server answers, and for the reserve of a process that has stood still,
     * which looks at the ages of its blocks from time to time.
     */
    private boolean isUp(Entry entry) {
        return incidents.areUp(topology.groups(), entry.begin(), entry.end(), topology.grace())
                && incidents.isUp(Applications.name(entry.process()), entry.begin(), entry.end(), topology.grace());
    }

    private interface Reasons {
        String text(int process, long number);
    }

    private static Reasons reasons(Applications applications) throws IOException {
        Map<Integer, List<String>> texts = new HashMap<>();
        for (ApplicationProcess process : applications.all()) {
            texts.put(process.number(), process.reasons());
        }
        return (process, number) -> texts.get(process).get((int) number);
    }
}
