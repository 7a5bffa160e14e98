package io.distributedid.internal.counter;

import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an operator is told of the servers of a counter. Each is asked, whatever became of the others, and none is raised.
 *
 * @param <C> names a counter
 */
final class CounterCheck<C> {

    private final C counter;

    private final Floor floor;

    private final Sides sides;

    private final List<Finding> findings = new ArrayList<>();

    private final Map<Integer, Long> last = new TreeMap<>();

    private CounterCheck(C counter, Floor floor, Sides sides) {
        this.counter = counter;
        this.floor = floor;
        this.sides = sides;
    }

    /** Asks the servers, in their order. */
    static <C> List<Finding> of(List<CounterServer<C>> servers, C counter, Floor floor, Sides sides, Distance distance)
            throws InterruptedException {
        CounterCheck<C> check = new CounterCheck<>(counter, floor, sides);
        for (CounterServer<C> server : servers) {
            check.ask(server);
        }
        check.compare(distance);
        return check.findings;
    }

    private void ask(CounterServer<C> server) throws InterruptedException {
        String what = "connection";
        try {
            Numbering numbering = server.connect();
            findings.add(Finding.ok("numbering", server.label(), numbering.toString()));
            what = "table";
            long id = Math.max(0, server.open(counter, floor, sides));
            findings.add(Finding.ok("table", server.label(), counter.toString()));
            findings.add(Finding.ok("counter", server.label(), "id=" + id));
            last.put(server.place(), id);
        } catch (SQLException e) {
            findings.add(Finding.failed(what, server.label(), String.valueOf(e.getMessage())));
        } catch (IdConfigurationException e) {
            String broken = what.equals("connection") ? "numbering" : what;
            findings.add(Finding.failed(broken, server.label(), String.valueOf(e.getMessage())));
        }
    }

    private void compare(Distance distance) {
        if (last.size() < 2) {
            return;
        }
        long highest = last.values().stream().mapToLong(Long::longValue).max().orElse(0);
        long lowest = last.values().stream().mapToLong(Long::longValue).min().orElse(0);
        String found = "distance=" + (highest - lowest) + ", allowed: " + distance.maxSetting() + "=" + distance.max();
        findings.add(
                highest - lowest <= distance.max()
                        ? Finding.ok("distance", "", found)
                        : Finding.failed(
                                "distance",
                                "",
                                "A server is too far behind the others: " + found + ". If it was only down, set "
                                        + distance.raiseSetting() + "=raise. If it was truncated or restored from a"
                                        + " backup, raise it above every id that it ever gave"));
    }
}
