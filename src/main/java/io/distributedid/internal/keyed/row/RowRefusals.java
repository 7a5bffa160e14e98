package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import java.util.List;

/** Says why a server is refused. */
final class RowRefusals {

    private static final String LOST_OR_OTHER =
            ": it has lost its rows and was begun anew, or its address leads to another server";

    private final List<DedicatedConnection<RowSession>> servers;

    /** @param servers one connection to each, in the order of the setting */
    RowRefusals(List<DedicatedConnection<RowSession>> servers) {
        this.servers = servers;
    }

    /** Its record contradicts those that are known. */
    IdConfigurationException another(String sequence, KnownRecords known, RowRecord found) {
        int server = found.place() - 1;
        int other = known.otherThan(server);
        if (!known.isKnown(server)) {
            return of(sequence, server, otherFirst(other), known.isKept());
        }
        String belonged = other < 0 ? "" : ", and does not belong to " + name(other) + " any more";
        return of(sequence, server, "has another record than before" + belonged + LOST_OR_OTHER, known.isKept());
    }

    String otherFirst(int other) {
        return "belongs to another first server than " + (other < 0 ? "before" : name(other));
    }

    private String name(int server) {
        return "server " + (server + 1) + " of " + servers.size() + " ("
                + servers.get(server).label() + ")";
    }

    /** @param isKept whether this process refuses all other records until it ends */
    IdConfigurationException of(String sequence, int server, String why, boolean isKept) {
        return new IdConfigurationException("The servers of a sequence must not change: seq=" + sequence + ", "
                + name(server) + " " + why + ". Restore the former list in " + DistributedIdSettings.KEYED_ROW_SERVERS
                + ", or restore its rows"
                + (isKept ? ". If this process began with a wrong address, correct it and restart the process" : ""));
    }
}
