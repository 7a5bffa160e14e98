package io.distributedid.soak.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All faults of a round, and what was up meanwhile. Thread-safe. */
public final class Incidents {

    /**
     * Servers of which some must answer for ids to be available.
     *
     * @param names of the servers
     * @param needed how many of them
     */
    public record Group(Set<String> names, int needed) {}

    private final List<Incident> incidents = new ArrayList<>();

    public synchronized void add(Incident incident) {
        incidents.add(incident);
    }

    public synchronized List<Incident> all() {
        return List.copyOf(incidents);
    }

    /**
     * Whether enough servers of each group could answer from one moment to another: each of these all the time.
     *
     * @param grace how long a server may need to work again after a fault
     */
    public boolean areUp(List<Group> groups, long from, long to, Duration grace) {
        for (Group group : groups) {
            long up = group.names.stream()
                    .filter(name -> isUp(name, from, to, grace))
                    .count();
            if (up < group.needed) {
                return false;
            }
        }
        return true;
    }

    /** Whether a server or an application could answer from one moment to another, and had for a while. */
    public synchronized boolean isUp(String name, long from, long to, Duration grace) {
        return incidents.stream()
                .noneMatch(incident -> incident.down().contains(name) && incident.overlaps(from, to, grace.toNanos()));
    }
}
