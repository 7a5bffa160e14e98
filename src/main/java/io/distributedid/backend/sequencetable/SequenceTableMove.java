package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordRows;
import io.distributedid.internal.counter.Witness;
import io.distributedid.spi.Setting;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Moves a sequence table to other servers, more, fewer or as many. No id is given twice:
 *
 * <ol>
 *   <li>The move inspects every server of both lists. It changes nothing unless all servers match the lists, see
 *       {@link MovePlan}, and none may have lost ids, see {@link MoveLosses}.
 *   <li>It fences every server: the state of the server's claim becomes "moving", and its counters get a new
 *       generation. From then on no client draws ids. Clients use up what they have reserved. The claim is the row in
 *       {@code distributedid_record} that keeps the server's numbering and state.
 *   <li>It reads the largest value of each sequence, from its rows and from the servers' notes about each other. This
 *       value can't grow any more. If a server is lost, the move adds {@code max_distance}.
 *   <li>Each new server gets a row for each sequence, at or above that value and with the server's remainder.
 *   <li>The move retires old servers that are not in the new list. Last, it opens the new servers.
 * </ol>
 *
 * <p>Run the move, then restart the applications with the new list. If a move was interrupted, repeat it, or undo it by
 * a move with the lists exchanged. Of two concurrent moves one fails: a move changes a server only if the claim still
 * is as this move left it. All claims of a list get the same generation; a server that comes back with an older one was
 * left behind.
 *
 * <p>Clients that draw with their own SQL, or that have no right to {@code distributedid_record}, are not fenced:
 * revoke their privileges first. On new servers, the move needs the privilege to create tables. Thread-safe.
 */
public final class SequenceTableMove {

    private static final long MAX_DISTANCE = 10_000_000;

    /** Counters must not lie further apart than this many times the distance. */
    private static final long MAX_DISTANCES = 1_000;

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
     * @param to the servers in the order of the new list, which may contain old servers
     * @param table the table's name on all servers
     * @throws SQLException if a server failed; repeat the call
     * @throws IdConfigurationException if an argument is not allowed, or a server does not match the lists
     * @throws IdsExhaustedException if no ids are left above those that a sequence has given
     */
    public static void move(List<? extends DataSource> from, List<? extends DataSource> to, String table)
            throws SQLException {
        move(from, to, table, Set.of(), MAX_DISTANCE);
    }

    /**
     * Moves the table away from servers that are lost, for example to replace one.
     *
     * @param from the servers in the order of the old list; the move does not connect to lost servers
     * @param to the servers in the order of the new list
     * @param table the table's name on all servers
     * @param lost places in the old list, from 1, of servers whose present data no client will ever use again
     * @param maxDistance by how many ids a lost server may lie ahead of the other servers' notes, at least 1: the
     *     setting {@code max_distance}
     * @throws SQLException if a server failed; repeat the call
     * @throws IdConfigurationException if an argument is not allowed, or a server does not match the lists
     * @throws IdsExhaustedException if no ids are left above those that a sequence has given
     */
    public static void move(
            List<? extends DataSource> from,
            List<? extends DataSource> to,
            String table,
            Set<Integer> lost,
            long maxDistance)
            throws SQLException {
        of(from, to, table, lost, maxDistance).run();
    }

    /**
     * Looks at all servers as {@link #move(List, List, String, Set, long)} does first, and changes nothing.
     *
     * @param from the servers in the order of the old list; lost servers are not connected to
     * @param to the servers in the order of the new list
     * @param table the table's name on all servers
     * @param lost places in the old list, from 1
     * @param maxDistance by how many ids a lost server may lie ahead of the other servers' notes, at least 1
     * @return for each sequence, the id that a move would bring its rows to; empty if nothing is left to move
     * @throws SQLException if a server failed
     * @throws IdConfigurationException if a move would be refused
     */
    public static Map<String, Long> look(
            List<? extends DataSource> from,
            List<? extends DataSource> to,
            String table,
            Set<Integer> lost,
            long maxDistance)
            throws SQLException {
        SequenceTableMove move = of(from, to, table, lost, maxDistance);
        try (MoveServers servers = new MoveServers(table)) {
            List<MoveServer> all = move.connect(servers);
            MovePlan plan = move.plan(all);
            return plan.isDone() ? Map.of() : move.inspect(all, plan);
        }
    }

    private static SequenceTableMove of(
            List<? extends DataSource> from,
            List<? extends DataSource> to,
            String table,
            Set<Integer> lost,
            long maxDistance) {
        boolean arePlaces = lost.stream().allMatch(place -> place >= 1 && place <= from.size());
        if (from.isEmpty() || to.isEmpty() || !arePlaces || lost.size() >= from.size()) {
            throw new IdConfigurationException("A move needs at least one old server that is not lost, and at least"
                    + " one new server: from=" + from.size() + " to=" + to.size() + " lost=" + lost
                    + ", allowed for lost: places in the old list, from 1, but not all");
        }
        if (maxDistance < 1 || maxDistance > Long.MAX_VALUE / MAX_DISTANCES) {
            throw new IdConfigurationException("A move's distance must be the applications' setting"
                    + " max_distance: maxDistance=" + maxDistance + ", allowed: 1 to "
                    + Long.MAX_VALUE / MAX_DISTANCES);
        }
        if (!Setting.isPlainName(table)) {
            throw new IdConfigurationException("A table must have a plain name: table=" + table
                    + ", allowed: letters, digits and '_', perhaps with its schema: name or schema.name");
        }
        return new SequenceTableMove(from, to, table, lost, maxDistance);
    }

    private void run() throws SQLException {
        try (MoveServers servers = new MoveServers(table)) {
            run(connect(servers));
        }
    }

    private List<MoveServer> connect(MoveServers servers) throws SQLException {
        for (int place = 1; place <= from.size(); place++) {
            if (!lost.contains(place)) {
                servers.connect(from.get(place - 1)).setOld(new Numbering(from.size(), place));
            }
        }
        for (int place = 1; place <= to.size(); place++) {
            servers.connect(to.get(place - 1)).setNext(new Numbering(to.size(), place));
        }
        return servers.all();
    }

    private MovePlan plan(List<MoveServer> all) {
        return MovePlan.of(all, lost, from.size(), to.size());
    }

    /** Refuses a server that can't be moved. Changes none. */
    private Map<String, Long> inspect(List<MoveServer> all, MovePlan plan) throws SQLException {
        for (MoveServer server : plan.inUse()) {
            server.requireTable();
        }
        MoveLosses.requireNone(table, plan.inUse(), maxDistance);
        Map<String, Long> largest = largest(all, plan.inUse());
        MoveNames.require(all, plan.inUse());
        return largest;
    }

    private void run(List<MoveServer> all) throws SQLException {
        MovePlan plan = plan(all);
        if (plan.isDone()) {
            return;
        }
        Map<String, Long> unused = inspect(all, plan);
        for (MoveServer server : all) {
            server.createTables();
        }
        MoveNames.require(all, plan.inUse());
        String token = plan.token().orElseGet(() -> UUID.randomUUID().toString());
        long claimGeneration = plan.nextGeneration();
        for (MoveServer server : plan.inUse()) {
            server.fence(token, claimGeneration, plan.fencedNumbering(server));
        }
        for (MoveServer server : all) {
            if (!plan.inUse().contains(server)) {
                server.fence(token, claimGeneration, plan.fencedNumbering(server));
            }
        }
        Map<String, Long> largest = largest(all, List.of());
        MoveNames.merge(all, largest);
        long generation = 1 + generation(all);
        Set<String> retired = retired(all);
        List<MoveServer> next = next(all);
        for (MoveServer server : next) {
            server.fill(largest, retired, generation, claimGeneration + 1);
        }
        for (MoveServer server : all) {
            if (!next.contains(server)) {
                server.retire(claimGeneration + 1);
            }
        }
        for (MoveServer server : next) {
            server.open(claimGeneration + 2);
        }
    }

    /** A counter that is retired on one server stays retired on all. */
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

    /** For each sequence, the value that its rows on the new servers must reach. Compares the servers' counters. */
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
            server.recorded().forEach((name, rows) -> largest.merge(name, recorded(rows), Math::max));
        }
        for (Map.Entry<String, Long> sequence : largest.entrySet()) {
            long id = sequence.getValue();
            long lowest = least.getOrDefault(sequence.getKey(), id);
            long more = lost.isEmpty() ? 0 : maxDistance;
            if (id - lowest > MAX_DISTANCES * maxDistance) {
                throw new IdConfigurationException("A counter lies so far ahead of the others that it must be wrong:"
                        + " table=" + table + " seq=" + sequence.getKey() + " id=" + id + ", another has id=" + lowest
                        + ", allowed: " + MAX_DISTANCES * maxDistance + " (1000 x max_distance). If its ids are in use,"
                        + " raise the others above them: distributedid repair " + sequence.getKey() + " --above " + id
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

    private static long recorded(RecordRows rows) {
        long floor = rows.counter().map(counter -> counter.floor()).orElse(0L);
        return rows.witnesses().values().stream().mapToLong(Witness::last).reduce(Math.max(0, floor), Math::max);
    }

    /** The newest generation that any server has recorded of any counter. */
    private static long generation(List<MoveServer> all) throws SQLException {
        long newest = 0;
        for (MoveServer server : all) {
            for (RecordRows rows : server.recorded().values()) {
                newest = Math.max(
                        newest, rows.counter().map(CounterRecord::generation).orElse(0L));
                for (Witness witness : rows.witnesses().values()) {
                    newest = Math.max(newest, witness.generation());
                }
            }
        }
        return newest;
    }
}
