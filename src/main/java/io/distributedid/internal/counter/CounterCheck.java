package io.distributedid.internal.counter;

import io.distributedid.CheckResult;
import io.distributedid.CheckResult.Status;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.sql.Writability;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.Pages;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the servers of a counter for an operator. Asks each server, even if others fail, and changes none. It says
 * what the next client will say or do.
 */
final class CounterCheck {

    private final ServerList list;

    private final Minimum minimum;

    private final Known known;

    private final CounterKey counter;

    private final List<CheckResult> results = new ArrayList<>();

    private final @Nullable Seen[] seen;

    private CounterCheck(ServerList list, CounterMemory memory, Minimum minimum) {
        this.list = list;
        this.minimum = minimum;
        this.known = memory.known();
        this.counter = memory.counter();
        this.seen = new @Nullable Seen[list.servers().size()];
    }

    /** @param minimum what the next client asks for */
    static List<CheckResult> of(ServerList list, CounterMemory memory, Minimum minimum) throws InterruptedException {
        CounterCheck check = new CounterCheck(list, memory, minimum);
        for (CounterServer server : list.servers()) {
            boolean unused = check.read(server, true);
        }
        check.judge();
        return check.results;
    }

    /** Returns whether it answers. */
    private boolean read(CounterServer server, boolean isFirst) throws InterruptedException {
        try {
            Seen found = server.look(List.of(counter), false).seen(counter);
            seen[server.place()] = found;
            if (isFirst) {
                report(server.label(), found, server.connection().call(CounterSession::whyReadOnly));
            }
            return true;
        } catch (SQLException e) {
            results.add(CheckResult.failed("connection", server.label(), FailureText.of(e)));
        } catch (IdConfigurationException e) {
            results.add(CheckResult.failed("table", server.label(), String.valueOf(e.getMessage())));
        }
        return false;
    }

    private void report(String label, Seen found, Optional<Writability> readOnly) {
        results.add(CheckResult.ok("numbering", label, found.numbering().toString()));
        results.add(CheckResult.ok("table", label, counter.toString()));
        readOnly.ifPresent(why -> results.add(readOnly(label, why)));
        results.add(CheckResult.ok("ledger", label, ledger(found)));
        boolean isCreated = found.counter().isPresent() || found.row() != null;
        String last = isCreated ? "id=" + RefusalText.last(found) : "not created yet: its first client creates it";
        results.add(CheckResult.counter(label, Status.OK, last, RefusalText.last(found)));
    }

    private static CheckResult readOnly(String label, Writability why) {
        return why.isForSome()
                ? CheckResult.unknown(
                        "writable", label, "Only users who may write to a read-only server get ids: " + why.readOnly())
                : CheckResult.failed(
                        "writable",
                        label,
                        "A server of counters must be writable: " + label + " says " + why.readOnly()
                                + ". If it is a replica, list its source in its place; else make it writable"
                                + Pages.onCall("read-only"));
    }

    private static String ledger(Seen found) {
        Header header = found.header();
        CounterRow row = found.row();
        return header == null
                ? "not used yet: the first client creates its rows"
                : "state=" + header.state() + " token=" + header.token() + " era=" + header.era()
                        + (row == null ? "" : " version=" + row.version() + " number=" + row.number());
    }

    /**
     * What a client would find that knows what this process knows. Servers that fail have a result already. What is
     * doubted is read again, as a client does, since others draw meanwhile: if it does not answer then, nothing is
     * said.
     */
    private void judge() throws InterruptedException {
        List<@Nullable Seen> first = Arrays.asList(seen.clone());
        if (first.stream().allMatch(Objects::isNull)) {
            return;
        }
        String token = list.platform().token();
        Verdict verdict = list.rules().plan(counter, first, first, known, minimum, token);
        Set<Integer> again = new HashSet<>();
        while (!again.containsAll(verdict.doubts())) {
            for (int place : verdict.doubts()) {
                if (again.add(place) && !read(list.servers().get(place), false)) {
                    return;
                }
            }
            verdict = list.rules().plan(counter, first, Arrays.asList(seen), known, minimum, token);
        }
        for (Refusal refusal : new LinkedHashSet<>(verdict.refusals())) {
            if (refusal != null && refusal.kind() != Refusal.Kind.SILENT) {
                results.add(CheckResult.failed(
                        "counter",
                        list.servers().get(refusal.place()).label(),
                        list.text().of(counter, refusal)));
            }
        }
        for (Write write : verdict.writes()) {
            Seen before = seen[write.place()];
            String made = before == null ? "" : list.text().made(write, before, minimum);
            if (before != null && !made.isEmpty()) {
                String label = list.servers().get(write.place()).label();
                boolean isRaise = write.change() instanceof Write.ToRow to && to.isRaisedTo(minimum);
                boolean isLoss = write.change() instanceof Write.ToRow to && to.isLoss();
                String found = (isRaise ? "After the raise: " : "The next client finds: ") + made;
                Status status = isLoss ? Status.FAILED : Status.OK;
                results.add(CheckResult.counter(label, status, found, RefusalText.last(before)));
            }
        }
        compare();
    }

    /** The next client makes up for a distance. */
    private void compare() {
        long[] last = Arrays.stream(seen)
                .filter(Objects::nonNull)
                .mapToLong(RefusalText::last)
                .sorted()
                .toArray();
        if (last.length > 1) {
            long distance = last[last.length - 1] - last[0];
            String limit = "distributedid.max_distance=" + list.rules().maxDistance();
            results.add(CheckResult.ok(
                    "distance",
                    "",
                    "distance=" + distance
                            + (distance <= list.rules().maxDistance() ? ", allowed: " : ", beyond ")
                            + limit));
        }
    }
}
