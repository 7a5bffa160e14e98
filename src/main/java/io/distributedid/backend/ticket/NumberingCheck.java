package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the addresses and numberings of all servers of one id space. Refuses a combination that could give an id
 * twice. A server that is down is compared when it answers. Thread-safe.
 */
final class NumberingCheck {

    private record Answer(String address, Numbering numbering) {}

    private final List<String> labels;

    private final Map<Integer, Answer> answers = new TreeMap<>();

    NumberingCheck(List<String> labels) {
        this.labels = labels;
    }

    /** Keeps the answer of a server, or refuses it and keeps the former ones. Servers count from 0, as the labels. */
    synchronized void accept(int server, String address, Numbering numbering) {
        Answer before = answers.put(server, new Answer(address, numbering));
        String broken = brokenRule();
        if (broken == null && before != null && !before.numbering.equals(numbering)) {
            broken = "the numbering of a server must not change while ids are taken from it, but " + labels.get(server)
                    + " said " + before.numbering + " before";
        }
        if (broken != null) {
            String found = numberings();
            answers.remove(server);
            if (before != null) {
                answers.put(server, before);
            }
            throw new IdConfigurationException("Two ticket servers could give the same id: " + broken + ". " + found
                    + ". Write into my.cnf " + remedy()
                    + ", restart the servers; or set distributedid.ticket.numbering=client in all applications");
        }
    }

    private @Nullable String brokenRule() {
        Map<String, Integer> addresses = new LinkedHashMap<>();
        Map<Numbering, Integer> numberings = new LinkedHashMap<>();
        long increment = answers.values().iterator().next().numbering.increment();
        for (Map.Entry<Integer, Answer> entry : answers.entrySet()) {
            Numbering numbering = entry.getValue().numbering;
            if (numbering.increment() != increment) {
                return "all must have the same auto_increment_increment";
            }
            if (increment < labels.size()) {
                return "auto_increment_increment must be at least the number of servers, " + labels.size();
            }
            if (numbering.offset() > increment) {
                return "auto_increment_offset must not exceed auto_increment_increment (the server then ignores it)";
            }
            Integer same = addresses.putIfAbsent(entry.getValue().address, entry.getKey());
            if (same != null) {
                return labels.get(same) + " and " + labels.get(entry.getKey()) + " are one server, listed twice";
            }
            if (numberings.putIfAbsent(numbering, entry.getKey()) != null) {
                return "each must have its own auto_increment_offset";
            }
        }
        return null;
    }

    private String numberings() {
        return answers.entrySet().stream()
                .map(entry -> labels.get(entry.getKey()) + " says " + entry.getValue().numbering)
                .collect(Collectors.joining(", "));
    }

    private String remedy() {
        long increment = advisedIncrement();
        return IntStream.range(0, labels.size())
                .mapToObj(server -> "of " + labels.get(server) + ": auto_increment_increment=" + increment
                        + " auto_increment_offset=" + (server + 1))
                .collect(Collectors.joining(", "));
    }

    /** One that a server has already, if it is large enough: clients may have counted with it. */
    private long advisedIncrement() {
        return answers.values().stream()
                .map(Answer::numbering)
                .filter(found -> found.increment() >= labels.size() && found.offset() <= found.increment())
                .mapToLong(Numbering::increment)
                .min()
                .orElse(Math.max(TicketSettings.ADVISED_INCREMENT, labels.size()));
    }
}
