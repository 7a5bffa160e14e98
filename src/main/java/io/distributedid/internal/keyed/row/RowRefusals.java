package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
        int server = found.place() - 1;
        int other = known.otherThan(server);
        if (!known.isKnown(server)) {
            return otherFirst(sequence, server, other, known);
        }
        String belonged = other < 0 ? "" : ", and does not belong to " + name(other) + " any more";
        return new RefusedServerException(
                text(
                        sequence,
                        server,
                        "has another record than before" + belonged + LOST_OR_OTHER,
                        known.isKept() ? RESTART : ""),
                server,
                places(known, server));
    }

    private static Set<Integer> places(KnownRecords known, int server) {
        Set<Integer> places = new HashSet<>(known.byPlace().keySet());
        places.add(server + 1);
        return places;
    }

    private RefusedServerException otherFirst(String sequence, int server, int other, KnownRecords known) {
        return new RefusedServerException(
                text(sequence, server, otherFirst(other), known.isKept() ? RESTART : ""),
                server,
                places(known, server));
    }

    /** Its record names another first server than the first one does. */
    RefusedServerException otherFirst(String sequence, int server) {
        return new RefusedServerException(text(sequence, server, otherFirst(0), ""), server, Set.of(1, server + 1));
    }

    private String otherFirst(int other) {
        return "belongs to another first server than " + (other < 0 ? "before" : name(other));
    }

    private String name(int server) {
        return "server " + (server + 1) + " of " + servers.size() + " ("
                + servers.get(server).label() + ")";
    }

    /** A server tells a record of other settings. */
    RefusedServerException contradicting(KnownRecords known, int server, IdConfigurationException why) {
        return new RefusedServerException(why.getMessage(), server, places(known, server));
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
                + ". Restore the former list in " + DistributedIdSettings.KEYED_ROW_SERVERS
                + ", or restore its rows" + restart;
    }

    /** A server has told a record that contradicts the others, and does not tell one any more. */
    static IdConfigurationException unresolved(IdConfigurationException why) {
        return new IdConfigurationException(
                why.getMessage() + ". Numbers are given once these servers agree; for now not all of them tell their"
                        + " record",
                why);
    }
}
