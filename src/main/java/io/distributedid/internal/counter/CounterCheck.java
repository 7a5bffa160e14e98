package io.distributedid.internal.counter;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks the servers of a counter for an operator. Asks each server, even if others fail, and changes none: it creates
 * no table, whatever the settings say, and makes no claim. It says what the first client will say that does.
 */
final class CounterCheck<C extends CounterKey> {

    private final C counter;

    private final DriftLimit driftLimit;

    private final List<CheckResult> results = new ArrayList<>();

    private final List<Seen> answers = new ArrayList<>();

    private CounterCheck(C counter, DriftLimit driftLimit) {
        this.counter = counter;
        this.driftLimit = driftLimit;
    }

    static <C extends CounterKey> List<CheckResult> of(
            List<CounterServer<C>> servers,
            C counter,
            CounterHistory history,
            CounterMinimum minimum,
            DriftLimit driftLimit)
            throws InterruptedException {
        CounterCheck<C> check = new CounterCheck<>(counter, driftLimit);
        for (CounterServer<C> server : servers) {
            check.ask(server, history);
        }
        if (!check.answers.isEmpty()) {
            check.judge(servers.stream().map(CounterServer::label).toList(), history, minimum);
        }
        return check.results;
    }

    private void ask(CounterServer<C> server, CounterHistory history) throws InterruptedException {
        String what = "connection";
        try {
            Numbering numbering = server.connect();
            results.add(CheckResult.ok("numbering", server.label(), numbering.toString()));
            what = "table";
            Seen seen = server.read(counter, history);
            results.add(CheckResult.ok("table", server.label(), counter.toString()));
            results.add(CheckResult.ok("record", server.label(), record(seen)));
            results.add(CheckResult.ok(
                    "counter",
                    server.label(),
                    seen.last().isPresent()
                            ? "id=" + seen.lastOrZero()
                            : "not created yet: its first client creates it"));
            answers.add(seen);
        } catch (SQLException e) {
            results.add(CheckResult.failed(what, server.label(), FailureText.of(e)));
        } catch (IdConfigurationException e) {
            String broken = what.equals("connection") ? "numbering" : what;
            results.add(CheckResult.failed(broken, server.label(), String.valueOf(e.getMessage())));
        }
    }

    private static String record(Seen seen) {
        return seen.claim()
                .map(claim -> "state=" + claim.state().name().toLowerCase(Locale.ROOT) + " token="
                        + claim.token()
                        + seen.counter()
                                .map(known -> " generation=" + known.generation() + " floor=" + known.floor())
                                .orElse(""))
                .orElse("not claimed yet: the first client claims it");
    }

    private void judge(List<String> labels, CounterHistory history, CounterMinimum minimum) {
        Optional<Plan> judged = Optional.empty();
        try {
            Plan plan = plan(labels, history.copy(), minimum);
            plan.refusals()
                    .forEach((place, refusal) -> results.add(
                            CheckResult.failed("counter", labels.get(place), String.valueOf(refusal.getMessage()))));
            plan.changes().stream()
                    .filter(change -> !change.reason().isEmpty())
                    .forEach(change -> results.add(result(change)));
            judged = Optional.of(plan);
        } catch (IdConfigurationException e) {
            results.add(CheckResult.failed("claim", "", String.valueOf(e.getMessage())));
        } catch (IdUnavailableException e) {
            // There is a result for the server that did not answer already.
        }
        compare(judged);
    }

    private static CheckResult result(Change change) {
        String label = change.seen().label();
        String what = "The counter " + change.reason() + ". The next client ";
        return change.value() > 0
                ? CheckResult.failed("counter", label, what + "raises it above " + change.value())
                : CheckResult.ok("counter", label, what + "accepts it as it is");
    }

    /**
     * The plan of a client once it has claimed the tables and created the counters, as if it had: only then does it
     * judge the servers. The history is one that nobody else uses, since it learns the token of such a claim.
     */
    private Plan plan(List<String> labels, CounterHistory history, CounterMinimum minimum) {
        Map<Integer, Seen> seen = new TreeMap<>();
        answers.forEach(each -> seen.put(each.place(), each));
        while (true) {
            Plan plan = Plan.of(counter, labels, List.copyOf(seen.values()), history, driftLimit, minimum);
            if (plan.changes().stream().noneMatch(Change::isPreparation)) {
                return plan;
            }
            plan.changes()
                    .forEach(change ->
                            seen.computeIfPresent(change.seen().place(), (place, before) -> change.after(before)));
        }
    }

    /** A distance that the next client makes up for is no failure. What to do about one is said of the counter. */
    private void compare(Optional<Plan> judged) {
        if (answers.size() < 2) {
            return;
        }
        long highest = answers.stream().mapToLong(Seen::lastOrZero).max().orElse(0);
        long lowest = answers.stream().mapToLong(Seen::lastOrZero).min().orElse(0);
        long distance = highest - lowest;
        String limit = "distributedid.max_distance=" + driftLimit.max();
        if (judged.filter(Plan::refusesDistance).isPresent()) {
            results.add(CheckResult.failed(
                    "distance",
                    "",
                    "The counters lie too far apart: distance=" + distance + ", allowed: " + limit
                            + ". To end this, see the counter that failed"));
        } else if (distance <= driftLimit.max()) {
            results.add(CheckResult.ok("distance", "", "distance=" + distance + ", allowed: " + limit));
        } else if (judged.filter(plan -> plan.refusals().isEmpty()).isPresent()) {
            results.add(CheckResult.ok("distance", "", "distance=" + distance + ", beyond " + limit));
        } else {
            results.add(CheckResult.unknown(
                    "distance",
                    "",
                    "distance=" + distance + ", beyond " + limit
                            + ". Whether clients refuse it shows once the rest that failed is set right"));
        }
    }
}
