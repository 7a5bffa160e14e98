package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        Answer answer = new Answer(address, numbering);
        Answer before = answers.put(server, answer);
        String error = error(server, answer, before);
        if (error != null) {
            answers.remove(server);
            if (before != null) {
                answers.put(server, before);
            }
            throw new IdConfigurationException(error);
        }
    }

    /** What others said may be old by now, so a change is named first. */
    private @Nullable String error(int server, Answer answer, @Nullable Answer before) {
        for (Map.Entry<Integer, Answer> other : answers.entrySet()) {
            if (other.getKey() != server && other.getValue().address.equals(answer.address)) {
                return listedTwice(Math.min(server, other.getKey()), Math.max(server, other.getKey()), answer.address);
            }
        }
        if (before != null && !before.numbering.equals(answer.numbering)) {
            return changed(labels.get(server), before.numbering, answer.numbering);
        }
        String broken = brokenRule();
        return broken == null
                ? null
                : "Two ticket servers could give the same id: " + broken + ". " + numberings()
                        + ". Write into my.cnf " + remedy() + ", restart the servers, then the applications; or set "
                        + "distributedid.ticket.numbering=client in all applications";
    }

    private String listedTwice(int first, int second, String address) {
        return "One ticket server is listed twice: " + labels.get(first) + " and " + labels.get(second)
                + " are the server that says address=" + address + ". Allowed: every server once. Write the address of"
                + " another server into distributedid.ticket.servers in place of one of them; if there"
                + " is only one server, remove one of them";
    }

    private static String changed(String label, Numbering before, Numbering now) {
        return "A ticket server changed its numbering while this application runs, so two servers could give the same"
                + " id: " + label + " says " + now + ", and said " + before + " before. Allowed: no change until all"
                + " applications have stopped. To undo it, write into my.cnf: auto_increment_increment="
                + before.increment() + " auto_increment_offset=" + before.offset() + ", and restart the server. To"
                + " keep it, stop all applications, give all servers the new increment, run distributedid repair for"
                + " each ticket table, and start the applications again";
    }

    private @Nullable String brokenRule() {
        Set<Numbering> numberings = new HashSet<>();
        long increment = answers.values().iterator().next().numbering.increment();
        for (Answer answer : answers.values()) {
            Numbering numbering = answer.numbering;
            if (numbering.increment() != increment) {
                return "all must have the same auto_increment_increment";
            }
            if (increment < labels.size()) {
                return "auto_increment_increment must be at least the number of servers, " + labels.size();
            }
            if (numbering.offset() > increment) {
                return "auto_increment_offset must not exceed auto_increment_increment (the server then ignores it)";
            }
            if (!numberings.add(numbering)) {
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

    /** The increment of a server if it is large enough, since clients may have taken ids with it. Else the default. */
    private long advisedIncrement() {
        return answers.values().stream()
                .map(Answer::numbering)
                .filter(found -> found.increment() >= labels.size() && found.offset() <= found.increment())
                .mapToLong(Numbering::increment)
                .min()
                .orElse(Math.max(TicketSettings.ADVISED_INCREMENT, labels.size()));
    }
}
