package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Says why a server is refused. */
final class RowRefusals {

    private static final String LOST_OR_OTHER =
            ": it has lost its rows and was begun anew, or its address leads to another server";

    private static final String RESTART =
            ". If this process began with a wrong address, correct it and restart the process";

    private final List<DedicatedConnection<RowSession>> servers;

    /** @param servers one connection to each, in the order of the setting */
    RowRefusals(List<DedicatedConnection<RowSession>> servers) {
        this.servers = servers;
    }

    /** Its record contradicts those that are known. */
    RefusedServerException another(String sequence, KnownRecords known, RowRecord found) {
        return another(sequence, known, found, List.of(found));
    }

    /** @param told the records that were read with it: each may be the wrong one */
    RefusedServerException another(String sequence, KnownRecords known, RowRecord found, List<RowRecord> told) {
        int server = found.place() - 1;
        int other = known.otherThan(server);
        String why = otherFirst(other);
        if (known.isKnown(server)) {
            String belonged = other < 0 ? "" : ", and does not belong to " + name(other) + " any more";
            why = "has another record than before" + belonged + LOST_OR_OTHER;
        }
        Set<Integer> places = new HashSet<>(known.byPlace().keySet());
        places.addAll(places(told));
        return new RefusedServerException(text(sequence, server, why, known.isKept() ? RESTART : ""), server, places);
    }

    /**
     * Its record names another first server than that of a server before it.
     *
     * @param told the records that were read with it: each may be the wrong one
     */
    RefusedServerException otherFirst(String sequence, RowRecord found, List<RowRecord> told) {
        int server = found.place() - 1;
        String why = otherFirst(told.get(0).place() - 1);
        return new RefusedServerException(text(sequence, server, why, ""), server, places(told));
    }

    private static Set<Integer> places(List<RowRecord> records) {
        return records.stream().map(RowRecord::place).collect(Collectors.toSet());
    }

    private String otherFirst(int other) {
        return "belongs to another first server than " + (other < 0 ? "before" : name(other));
    }

    private String name(int server) {
        return "server " + (server + 1) + " of " + servers.size() + " ("
                + servers.get(server).label() + ")";
    }

    /** @param isKept whether this process refuses all other records until it ends */
    RefusedServerException of(String sequence, int server, String why, boolean isKept) {
        return new RefusedServerException(text(sequence, server, why, isKept ? RESTART : ""), server, Set.of());
    }

    /** A final record was seen there before, and a new process would make this one final. */
    RefusedServerException older(String sequence, int server) {
        String restart = ". Do that before this process ends: the next one would begin its keys at 1 again";
        return new RefusedServerException(
                text(sequence, server, "has an older record than before: it has lost rows", restart), server, Set.of());
    }

    private String text(String sequence, int server, String why, String restart) {
        return "The servers of a sequence must not change: seq=" + sequence + ", " + name(server) + " " + why
                + ". Restore the former list in distributedid.keyed.row.servers"
                + ", or restore its rows" + restart;
    }

    /** @param silent the servers that do not tell their record now, of those that contradicted each other */
    IdConfigurationException unresolved(IdConfigurationException why, List<Integer> silent) {
        String names = silent.stream().map(this::name).collect(Collectors.joining(", "));
        return new IdConfigurationException(
                why.getMessage() + ". Numbers are given once the servers that contradicted each other agree"
                        + (names.isEmpty() ? "" : "; for now no final record comes from " + names),
                why);
    }
}
