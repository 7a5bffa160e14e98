package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.Witness;
import io.distributedid.spi.Setting;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Moves a sequence table to other servers, more, fewer or as many, so that no id is given twice:
 *
 * <ol>
 *   <li>Every server of both lists is inspected. Nothing is changed unless all are what the lists make them, see
 *       {@link MovePlan}.
 *   <li>Every server is fenced: its claim says that a move has begun, and its counters get a new generation. From then
 *       on no client draws ids; they live on what they had reserved.
 *   <li>The largest value of each sequence is read: its rows, and what the servers have noted of each other. It can't
 *       grow any more. If a server is lost, {@code max_distance} is added.
 *   <li>Each new server gets a row for each sequence, at or above that value and with the server's remainder.
 *   <li>Old servers that are in the new list no more are retired; last, the new servers are opened.
 * </ol>
 *
 * <p>Run it, then restart the applications with the new list. A run that was cut off is repeated, or taken back by a
 * run with the lists exchanged. Of two runs at once one fails: each change is made only if the claim still is as the
 * run left it. All claims of a list get the same generation; a server that comes back with an older one was left
 * behind.
 *
 * <p>Clients that draw with SQL of their own, or that have no right to the record, are not fenced: take their
 * privileges away first. Needs the privilege to create tables on servers that are new.
 */
public final class SequenceTableMove {

    private static final long MAX_DISTANCE = 10_000_000;

    /** Counters further apart than this many times the distance can't be right. */
    private static final long MOST = 1_000;

    private final List<? extends DataSource> from;

    private final List<? extends DataSource> to;

    private final String table;

    private final Set<Integer> lost;

    private final long maxDistance;

    private SequenceTableMove(
            List<? extends DataSource> from,
            List<? extends DataSource> to,
            String table,
            Set<Integer> lost,
            long maxDistance) {
        this.from = from;
        this.to = to;
        this.table = table;
        this.lost = lost;
        this.maxDistance = maxDistance;
    }

    /**
     * Moves the table. All servers must answer.
     *
     * @param from the servers in the order of the old list
     * @param to the servers in the order of the new list, old ones among them or not
     * @param table the table's name on all of them
     * @throws SQLException if a server failed; repeat the call
     * @throws IdConfigurationException if a server's table is not what the lists make it
     */
    public static void move(List<? extends DataSource> from, List<? extends DataSource> to, String table)
            throws SQLException {
        move(from, to, table, Set.of(), MAX_DISTANCE);
    }

    /**
     * Moves the table away from servers that are lost, for example to replace one.
     *
     * @param from the servers in the order of the old list; those that are lost are not connected to
     * @param to the servers in the order of the new list
     * @param table the table's name on all of them
     * @param lost places in the old list, from 1, of servers that nobody will ever use again as they are
     * @param maxDistance how far the ids of a lost server may lie above what the others have noted: the setting
     *     {@code sequence_table.max_distance}
     * @throws SQLException if a server failed; repeat the call
     * @throws IdConfigurationException if a server's table is not what the lists make it
     */
    public static void move(
            List<? extends DataSource> from,
            List<? extends DataSource> to,
            String table,
            Set<Integer> lost,
            long maxDistance)
            throws SQLException {
        boolean isPlaces = lost.stream().allMatch(place -> place >= 1 && place <= from.size());
        if (from.isEmpty() || to.isEmpty() || !isPlaces || lost.size() >= from.size()) {
            throw new IdConfigurationException(
                    "A sequence table moves from one server at least that is not lost, to one"
                            + " at least: from=" + from.size() + " to=" + to.size() + " lost=" + lost
                            + ", allowed: places in the old list, from 1, but not all");
        }
        if (maxDistance < 1 || maxDistance > Long.MAX_VALUE / MOST) {
            throw new IdConfigurationException("How far a lost server may be ahead must be a setting of the servers:"
                    + " maxDistance=" + maxDistance + ", allowed: as sequence_table.max_distance");
        }
        if (!Setting.isPlainName(table)) {
            throw new IdConfigurationException("A table must have a plain name: table=" + table
                    + ", allowed: letters, digits and '_', perhaps with its schema: name or schema.name");
        }
        new SequenceTableMove(from, to, table, lost, maxDistance).run();
    }

    private void run() throws SQLException {
        try (MoveServers servers = new MoveServers(table)) {
            for (int place = 1; place <= from.size(); place++) {
                if (!lost.contains(place)) {
                    servers.connect(from.get(place - 1)).setOld(new Numbering(from.size(), place));
                }
            }
            for (int place = 1; place <= to.size(); place++) {
                servers.connect(to.get(place - 1)).setNext(new Numbering(to.size(), place));
            }
            run(servers.all());
        }
    }

    private void run(List<MoveServer> all) throws SQLException {
        MovePlan plan = MovePlan.of(all, lost, from.size(), to.size());
        if (plan.isDone()) {
            return;
        }
        for (MoveServer server : plan.inUse()) {
            server.requireTable();
        }
        largest(all, plan.inUse());
        MoveNames.require(all, plan.inUse());
        for (MoveServer server : all) {
            server.createTables();
        }
        MoveNames.require(all, plan.inUse());
        String token = plan.token().orElseGet(() -> UUID.randomUUID().toString());
        long epoch = plan.nextGeneration();
        for (MoveServer server : plan.inUse()) {
            server.fence(token, epoch, plan.kept(server));
        }
        for (MoveServer server : all) {
            if (!plan.inUse().contains(server)) {
                server.fence(token, epoch, plan.kept(server));
            }
        }
        Map<String, Long> largest = largest(all, List.of());
        MoveNames.merge(all, largest);
        long generation = 1 + generation(all);
        Set<String> retired = retired(all);
        List<MoveServer> next = next(all);
        for (MoveServer server : next) {
            server.fill(largest, retired, generation, epoch + 1);
        }
        for (MoveServer server : all) {
            if (!next.contains(server)) {
                server.retire(epoch + 1);
            }
        }
        for (MoveServer server : next) {
            server.open(epoch + 2);
        }
    }

    /** Counters that were retired stay so wherever they are. */
    private static Set<String> retired(List<MoveServer> all) throws SQLException {
        Set<String> retired = new TreeSet<>();
        for (MoveServer server : all) {
            server.recorded().forEach((name, rows) -> {
                if (rows.counter().filter(CounterRecord::isRetired).isPresent()) {
                    retired.add(name);
                }
            });
        }
        return retired;
    }

    private static List<MoveServer> next(List<MoveServer> all) {
        return all.stream().filter(server -> server.next().isPresent()).toList();
    }

    /** What each sequence must lie above on the new servers. */
    private Map<String, Long> largest(List<MoveServer> all, List<MoveServer> compared) throws SQLException {
        Map<String, Long> largest = new TreeMap<>();
        Map<String, Long> least = new TreeMap<>();
        for (MoveServer server : all) {
            server.last().forEach((name, id) -> {
                largest.merge(name, id, Math::max);
                if (server.isOpen() && compared.contains(server)) {
                    least.merge(name, id, Math::min);
                }
            });
            server.recorded().forEach((name, rows) -> largest.merge(name, noted(rows), Math::max));
        }
        for (Map.Entry<String, Long> sequence : largest.entrySet()) {
            long id = sequence.getValue();
            long lowest = least.getOrDefault(sequence.getKey(), id);
            long more = lost.isEmpty() ? 0 : maxDistance;
            if (id - lowest > MOST * maxDistance) {
                throw new IdConfigurationException(
                        "A counter lies so far ahead of the others that it must be wrong: table="
                                + table + " seq=" + sequence.getKey() + " id=" + id + ", another has id=" + lowest
                                + ", allowed: "
                                + MOST * maxDistance
                                + " (1000 x max_distance). If its ids are in use, raise the others above"
                                + " them: distributedid repair --above " + id
                                + "; if none is, give the sequence another table on all servers");
            }
            if (id > Long.MAX_VALUE - more - to.size()) {
                throw new IdsExhaustedException("No ids are left above those that were given: table=" + table + " seq="
                        + sequence.getKey() + " id=" + id + ". Give the sequence another table");
            }
            sequence.setValue(id + more);
        }
        return largest;
    }

    private static long noted(RecordTable.Rows rows) {
        long floor = rows.counter().map(counter -> counter.floor()).orElse(0L);
        return rows.witnesses().values().stream().mapToLong(Witness::last).reduce(Math.max(0, floor), Math::max);
    }

    /** The newest generation that any server knows of any counter. */
    private static long generation(List<MoveServer> all) throws SQLException {
        List<Long> generations = new ArrayList<>(List.of(0L));
        for (MoveServer server : all) {
            for (RecordTable.Rows rows : server.recorded().values()) {
                rows.counter().ifPresent(counter -> generations.add(counter.generation()));
                rows.witnesses().values().forEach(witness -> generations.add(witness.generation()));
            }
        }
        Optional<Long> newest = generations.stream().max(Long::compare);
        return newest.orElse(0L);
    }
}
