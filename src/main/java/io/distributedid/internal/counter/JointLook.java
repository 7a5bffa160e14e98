package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Looks at several counters of one {@linkplain CounterKey#group group} on all servers, side by side, in a number of
 * trips to each that does not grow with the counters:
 *
 * <pre>
 * SELECT ... FROM distributedid_record WHERE counter IN ('sequence', 'sequence/photos', 'sequence/users');
 * SELECT name, id FROM sequence WHERE name IN ('photos', 'users');
 * SELECT ... FROM distributedid_record WHERE counter IN ('sequence', 'sequence/photos', 'sequence/users');
 * </pre>
 *
 * <p>A counter whose record is not the same before and after is left out: it is left to {@link CounterServer#look}. As
 * in {@link CounterAlignment}, a server is asked again for counters of which another server knows more: that may have
 * happened after its answer. Used once.
 */
final class JointLook<C extends CounterKey> {

    /** The most counters that one statement reads. */
    private static final int MAX_READ = 1_000;

    private final List<CounterServer<C>> servers;

    private final Function<C, CounterHistory> history;

    private final Platform platform;

    private final Map<C, List<Seen>> answers = new LinkedHashMap<>();

    JointLook(List<CounterServer<C>> servers, Function<C, CounterHistory> history, Platform platform) {
        this.servers = servers;
        this.history = history;
        this.platform = platform;
    }

    /** Returns the answers of all servers by counter. Leaves out counters that one of them leaves out. */
    Map<C, List<Seen>> at(List<C> counters) throws SQLException, InterruptedException {
        List<LibraryThread.Work<Map<C, Seen>>> work = new ArrayList<>();
        servers.forEach(server -> work.add(() -> ask(server, counters)));
        for (Map<C, Seen> each : platform.callAll(work)) {
            each.forEach((key, seen) ->
                    answers.computeIfAbsent(key, counter -> new ArrayList<>()).add(seen));
        }
        answers.values().removeIf(seen -> seen.size() < servers.size());
        for (CounterServer<C> server : servers) {
            askAgain(server);
        }
        return answers;
    }

    private Map<C, Seen> ask(CounterServer<C> server, List<C> counters) throws SQLException, InterruptedException {
        Map<C, Seen> seen = new LinkedHashMap<>();
        for (int from = 0; from < counters.size(); from += MAX_READ) {
            List<C> some = counters.subList(from, Math.min(counters.size(), from + MAX_READ));
            seen.putAll(server.lookTogether(some, history));
        }
        return seen;
    }

    private void askAgain(CounterServer<C> server) throws SQLException, InterruptedException {
        Map<C, Seen> doubtful = new LinkedHashMap<>();
        answers.forEach((key, all) -> all.stream()
                .filter(each -> each.place() == server.place() && Plan.isDoubtful(each, all))
                .forEach(each -> doubtful.put(key, each)));
        if (doubtful.isEmpty()) {
            return;
        }
        Map<C, Seen> again = ask(server, List.copyOf(doubtful.keySet()));
        doubtful.forEach((key, before) -> {
            Seen later = again.get(key);
            if (later == null) {
                answers.remove(key);
            } else {
                requireNonNull(answers.get(key))
                        .replaceAll(each -> each.place() == server.place() ? before.seenAgain(later) : each);
            }
        });
    }

    /** Looks at counters of one server, in few trips. Leaves out those that must be looked at one by one. */
    static <C extends CounterKey> Map<C, Seen> on(int place, String label, CounterSession<C> session, List<C> counters)
            throws SQLException {
        Map<C, Seen> seen = new LinkedHashMap<>();
        List<C> open = session.openTogether(counters);
        if (open.isEmpty()) {
            return seen;
        }
        Map<C, RecordRows> before = session.recordsTogether(open);
        if (before.isEmpty()) {
            return seen;
        }
        Map<C, LastId> last = session.lastTogether(open);
        Map<C, RecordRows> after = session.recordsTogether(open);
        for (Map.Entry<C, LastId> each : last.entrySet()) {
            StoredCounter stored = session.open(each.getKey());
            RecordRows rows = before.getOrDefault(each.getKey(), RecordRows.NONE);
            RecordRows later = after.getOrDefault(each.getKey(), RecordRows.NONE);
            if (rows.counter().equals(later.counter())) {
                seen.put(
                        each.getKey(),
                        new Seen(
                                place,
                                label,
                                session.numbering(),
                                stored.identity(),
                                rows.claim(),
                                rows.counter(),
                                rows.witnesses(),
                                each.getValue().last(),
                                each.getValue().slack(),
                                stored.largest(),
                                session.changesTogether(each.getKey()),
                                session));
            }
        }
        return seen;
    }
}
