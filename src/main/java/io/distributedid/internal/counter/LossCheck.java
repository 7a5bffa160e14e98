package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a command asks before it takes the largest id that servers know for the largest that they gave: with a restored
 * backup, a deleted row or a replica that lags, it is not.
 */
public final class LossCheck {

    private LossCheck() {}

    /**
     * What a server holds of a counter.
     *
     * @param label names the server in messages
     * @param numbering under which it gave ids
     * @param identity of the server; empty if the server does not tell
     * @param rows of its record
     * @param last of its row, empty if that is missing; read after the records of all servers, or a note in one of them
     *     may be newer
     */
    public record Server(String label, Numbering numbering, String identity, RecordRows rows, OptionalLong last) {}

    /**
     * Refuses a counter of which ids may be lost. A retired one gives none any more.
     *
     * @param servers that clients draw from
     * @param maxDistance as {@link DriftLimit#max}
     * @throws IdConfigurationException if a server may have lost ids, or a note is so far ahead that it may be wrong
     */
    public static void requireNothingLost(CounterKey counter, List<Server> servers, long maxDistance) {
        List<Seen> seen = new ArrayList<>();
        for (Server server : servers) {
            seen.add(new Seen(
                    seen.size(),
                    server.label,
                    server.numbering,
                    server.identity,
                    true,
                    server.rows.claim(),
                    server.rows.counter(),
                    server.rows.witnesses(),
                    server.last,
                    0,
                    Long.MAX_VALUE,
                    false,
                    server));
        }
        if (seen.stream().flatMap(each -> each.counter().stream()).anyMatch(CounterRecord::isRetired)) {
            return;
        }
        Losses.requireNoFarNote(counter, seen, new DriftLimit(maxDistance, false, "", DriftLimit.Failover.REFUSE));
        for (Seen each : seen) {
            if (Losses.mayHaveLost(each, seen)) {
                throw new IdConfigurationException("A server may have lost ids, so nobody knows which ones were given: "
                        + counter + " on " + each.label() + " " + Losses.found(each)
                        + (each.isOther() ? ", and another server has taken its place" : "")
                        + ". With the old list, let a client take an id, or run: " + counter.repairCommand()
                        + "; then repeat the command");
            }
        }
    }
}
