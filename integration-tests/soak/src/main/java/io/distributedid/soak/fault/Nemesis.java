package io.distributedid.soak.fault;

import io.distributedid.soak.application.Applications;
import io.distributedid.soak.topology.Topology;
import java.util.Random;
import java.util.concurrent.FutureTask;

/** Hinders servers and applications for some time, side by side. All is well again afterwards. */
public final class Nemesis {

    private interface Inflict {
        void inflict(Step step) throws Exception;
    }

    private final long end;

    private Nemesis(long end) {
        this.end = end;
    }

    /**
     * Hinders until the end, and until the last fault is over.
     *
     * @param places how many applications run
     * @param end by {@link System#nanoTime()}
     */
    public static void run(
            Topology topology, Applications applications, int places, Incidents incidents, long seed, long end)
            throws Exception {
        Nemesis nemesis = new Nemesis(end);
        Random random = new Random(seed);
        Schedule ofServers = new Schedule(random.nextLong(), ServerFaults.of(topology));
        Schedule ofApplications = new Schedule(random.nextLong(), ApplicationFaults.of(topology));
        ServerFaults servers = new ServerFaults(topology, applications, incidents);
        ApplicationFaults processes = new ApplicationFaults(topology, applications, incidents, places);
        FutureTask<Void> beside = new FutureTask<>(() -> {
            nemesis.follow(ofApplications, processes::inflict);
            return null;
        });
        Thread thread = new Thread(beside, "nemesis");
        thread.setDaemon(true);
        thread.start();
        nemesis.follow(ofServers, servers::inflict);
        beside.get();
    }

    private void follow(Schedule schedule, Inflict faults) throws Exception {
        for (Step step = schedule.next(); pause(step); step = schedule.next()) {
            faults.inflict(step);
        }
    }

    /** Returns false at the end. */
    private boolean pause(Step step) throws InterruptedException {
        Thread.sleep(step.calmMillis());
        return System.nanoTime() < end;
    }
}
