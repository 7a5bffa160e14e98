package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the servers of one id space say of themselves, and refuses whatever would give one id twice. A server
 * that is down is compared when it answers. Thread-safe.
 */
final class NumberingCheck {

    /** What a server said. */
    private record Answer(String identity, Numbering numbering) {}

    private final List<String> labels;

    private final Map<Integer, Answer> answers = new TreeMap<>();

    /** Servers are named by their place in {@code labels}. */
    NumberingCheck(List<String> labels) {
        this.labels = labels;
    }

    /**
     * Takes a server's answer into account, or leaves everything as it was.
     *
     * @throws IdConfigurationException if ids could collide
     */
    synchronized void accept(int server, String identity, Numbering numbering) {
        Answer before = answers.put(server, new Answer(identity, numbering));
        String broken = brokenRule();
        if (broken == null && before != null && !before.numbering.equals(numbering)) {
            broken = "the numbering of a server must not change while ids are taken from it, but " + labels.get(server)
                    + " said " + before.numbering + " before";
        }
        if (broken != null) {
            String said = said();
            answers.remove(server);
            if (before != null) {
                answers.put(server, before);
            }
            throw new IdConfigurationException("Two ticket servers could give the same id: " + broken + ". " + said
                    + ". Write into my.cnf " + remedy()
                    + ", restart the servers; or set distributedid.ticket.numbering=client"
                    + " in all applications");
        }
    }

    private @Nullable String brokenRule() {
        Map<String, Integer> identities = new LinkedHashMap<>();
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
            Integer same = identities.putIfAbsent(entry.getValue().identity, entry.getKey());
            if (same != null) {
                return labels.get(same) + " and " + labels.get(entry.getKey()) + " are one server, listed twice";
            }
            if (numberings.putIfAbsent(numbering, entry.getKey()) != null) {
                return "each must have its own auto_increment_offset";
            }
        }
        return null;
    }

    private String said() {
        return answers.entrySet().stream()
                .map(entry -> labels.get(entry.getKey()) + " says " + entry.getValue().numbering)
                .collect(Collectors.joining(", "));
    }

    private String remedy() {
        StringBuilder lines = new StringBuilder();
        for (int server = 0; server < labels.size(); server++) {
            lines.append(server == 0 ? "" : ", ")
                    .append("of ")
                    .append(labels.get(server))
                    .append(": auto_increment_increment=")
                    .append(labels.size())
                    .append(" auto_increment_offset=")
                    .append(server + 1);
        }
        return lines.toString();
    }
}
