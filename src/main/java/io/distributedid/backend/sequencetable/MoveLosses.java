package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.LossCheck;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.NumberingRecord;
import io.distributedid.internal.counter.RecordRows;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses a move while a server in use may have lost ids: the new servers would begin below ids that were given, and
 * the records that the move writes would hide the loss from every client. Servers that a move has filled hold the ids
 * of all others, so they are not asked.
 */
final class MoveLosses {

    /** A counter that is created or raised meanwhile looks like a loss, once. */
    private static final int LOOKS = 3;

    private MoveLosses() {}

    /** @throws IdConfigurationException if each of several looks finds a loss */
    static void requireNone(String table, List<MoveServer> inUse, long maxDistance) throws SQLException {
        List<MoveServer> asked = inUse.stream()
                .filter(server -> server.claim()
                        .filter(claim -> claim.state() == NumberingRecord.State.READY)
                        .isEmpty())
                .toList();
        for (int look = 1; ; look++) {
            try {
                look(table, asked, maxDistance);
                return;
            } catch (IdConfigurationException e) {
                if (look == LOOKS) {
                    throw e;
                }
            }
        }
    }

    private static void look(String table, List<MoveServer> asked, long maxDistance) throws SQLException {
        Set<String> names = new TreeSet<>();
        List<Map<String, RecordRows>> records = new ArrayList<>();
        for (MoveServer server : asked) {
            records.add(server.recorded());
        }
        // Only now: clients draw, and note how far others have come.
        List<Map<String, Long>> rows = new ArrayList<>();
        List<String> identities = new ArrayList<>();
        for (MoveServer server : asked) {
            rows.add(server.last());
            identities.add(server.identity());
        }
        records.forEach(each -> names.addAll(each.keySet()));
        rows.forEach(each -> names.addAll(each.keySet()));
        for (String name : names) {
            List<LossCheck.Server> servers = new ArrayList<>();
            for (int i = 0; i < asked.size(); i++) {
                MoveServer server = asked.get(i);
                servers.add(new LossCheck.Server(
                        server.label(),
                        server.claim().map(NumberingRecord::numbering).orElse(new Numbering(1, 1)),
                        identities.get(i),
                        records.get(i).getOrDefault(name, RecordRows.NONE),
                        last(server, rows.get(i), name)));
            }
            LossCheck.requireNothingLost(new SequenceRow(table, name), servers, maxDistance);
        }
    }

    /** A server may take names for one that differ in case. */
    private static OptionalLong last(MoveServer server, Map<String, Long> rows, String name) throws SQLException {
        Long exact = rows.get(name);
        if (exact != null) {
            return OptionalLong.of(exact);
        }
        for (Map.Entry<String, Long> row : rows.entrySet()) {
            if (row.getKey().equalsIgnoreCase(name) && MoveNames.areOne(server, row.getKey(), name)) {
                return OptionalLong.of(row.getValue());
            }
        }
        return OptionalLong.empty();
    }
}
