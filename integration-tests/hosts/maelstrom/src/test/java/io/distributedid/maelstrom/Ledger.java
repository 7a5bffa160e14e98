package io.distributedid.maelstrom;

import io.distributedid.backend.snowflake.LeasedIds;
import io.distributedid.testkit.CallLedger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All calls, and all ids that nodes gave, as they left the process: also those whose client had given up. Thread-safe.
 */
final class Ledger {

    private record Call(long begin) {}

    /** By the number of the message. */
    private final Map<Long, Call> open = new HashMap<>();

    /** The process that gave an id, by the id. */
    private final Map<Long, String> ids = new HashMap<>();

    private final List<String> twice = new ArrayList<>();

    /** By process, and worker number if there is one. */
    private final Map<String, CallLedger> orders = new TreeMap<>();

    /** The processes that used a worker number, by number. */
    private final Map<Long, Set<String>> users = new HashMap<>();

    private final Map<String, Integer> given = new HashMap<>();

    private final Map<String, Integer> refusals = new TreeMap<>();

    private final boolean isLeased;

    private int calls;

    private int refused;

    /** @param isLeased whether ids have worker numbers, and those of one number and process ascend */
    Ledger(boolean isLeased) {
        this.isLeased = isLeased;
    }

    synchronized void called(long call) {
        calls++;
        open.put(call, new Call(System.nanoTime()));
    }

    /** @param process a name for each, not for each node */
    synchronized void answered(Message answer, String node, String process) {
        Call call = open.remove(answer.inReplyTo().orElseThrow());
        if (answer.type().equals("error")) {
            refused++;
            // Without what differs from call to call.
            refusals.merge(answer.text("text").replaceAll("[0-9][0-9A-Za-z:.+-]*", "#"), 1, Integer::sum);
            return;
        }
        long id = answer.number("id");
        String before = ids.putIfAbsent(id, process);
        if (before != null) {
            twice.add(id + " by " + before + " and " + process);
        }
        given.merge(node, 1, Integer::sum);
        if (isLeased) {
            long worker = LeasedIds.worker(id);
            users.computeIfAbsent(worker, any -> new HashSet<>()).add(process);
            orders.computeIfAbsent(process + " worker=" + worker, any -> new CallLedger())
                    .add(new CallLedger.Call(call == null ? 0 : call.begin, System.nanoTime(), id, process));
        }
    }

    /** Ids that were given more than once. */
    synchronized List<String> twice() {
        return List.copyOf(twice);
    }

    /** Of one process and worker number, ids that are not greater than one of a call that had ended before. */
    synchronized List<String> disorder() {
        return orders.values().stream()
                .flatMap(each -> each.disorder().stream())
                .toList();
    }

    /** How many worker numbers were used by more than one process, one after the other. */
    synchronized long reused() {
        return users.values().stream().filter(each -> each.size() > 1).count();
    }

    synchronized int given(String node) {
        return given.getOrDefault(node, 0);
    }

    @Override
    public synchronized String toString() {
        return "calls=" + calls + " ids=" + ids.size() + " refused=" + refused + " unanswered=" + open.size()
                + " twice=" + twice.size() + " worker_numbers_of_several_processes=" + reused() + " refusals="
                + refusals;
    }
}
