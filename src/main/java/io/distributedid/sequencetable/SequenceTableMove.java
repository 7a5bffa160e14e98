package io.distributedid.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.TableName;
import io.distributedid.internal.counter.Claim;
import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.Witness;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
 *   <li>Every server of both lists is inspected. Nothing is changed unless all are what the lists make them.
 *   <li>Every server is fenced: its claim says that a move has begun, and its counters get a new generation. From then on no client
 *       draws ids; they live on what they had reserved.
 *   <li>The largest value of each sequence is read. It can't grow any more. A server that is lost counts as {@code max_distance} above
 *       what the others have noted of it.
 *   <li>Each new server gets a row for each sequence, at or above that value and with the server's remainder.
 *   <li>Old servers that are in the new list no more are retired; last, the new servers are opened.
 * </ol>
 *
 * <p>Run it, then restart the applications with the new list. A run that was cut off is repeated, or taken back by a run with the
 * lists exchanged. Clients that draw with SQL of their own are not fenced: take their privileges away first. Needs the privilege to
 * create tables on servers that are new.
 */
public final class SequenceTableMove {

    private static final long MAX_DISTANCE = 10_000_000;

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
     * @param maxDistance how far the ids of a lost server may lie above what the others have noted of it: the setting {@code
     *     sequence_table.max_distance}
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
        if (from.isEmpty() || to.isEmpty() || lost.size() >= from.size()) {
            throw new IdConfigurationException(
                    "A sequence table moves from one server at least that is not lost, to one at" + " least: from="
                            + from.size() + " to=" + to.size() + " lost=" + lost);
        }
        if (lost.stream().anyMatch(place -> place < 1 || place > from.size()) || maxDistance < 0) {
            throw new IdConfigurationException(
                    "Lost servers are named by their place in the old list: lost=" + lost + " max_distance="
                            + maxDistance + ", allowed: 1 to " + from.size() + ", and a distance of 0 or more");
        }
        if (!TableName.isPlain(table)) {
            throw new IdConfigurationException("A table must have a plain name: table=" + table
                    + ", allowed: letters, digits and '_', perhaps with its schema: name or schema.name");
        }
        new SequenceTableMove(from, to, table, lost, maxDistance).run();
    }

    private void run() throws SQLException {
        List<Connection> connections = new ArrayList<>();
        try {
            Map<Integer, MoveServer> old = new TreeMap<>();
            for (int place = 1; place <= from.size(); place++) {
                if (!lost.contains(place)) {
                    old.put(place, connect(from.get(place - 1), connections));
                }
            }
            Map<Integer, MoveServer> next = new TreeMap<>();
            for (int place = 1; place <= to.size(); place++) {
                next.put(place, connect(to.get(place - 1), connections));
            }
            run(old, next);
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    private MoveServer connect(DataSource server, List<Connection> connections) throws SQLException {
        Connection connection = server.getConnection();
        connections.add(connection);
        return new MoveServer(connection, table);
    }

    private void run(Map<Integer, MoveServer> old, Map<Integer, MoveServer> next) throws SQLException {
        boolean isFresh = inspect(old, next);
        String token = token(old, next).orElseGet(() -> UUID.randomUUID().toString());
        Map<Integer, MoveServer> filled = new TreeMap<>();
        for (Map.Entry<Integer, MoveServer> server : next.entrySet()) {
            Numbering numbering = new Numbering(to.size(), server.getKey());
            if (isFresh || !isOpen(server.getValue(), numbering)) {
                server.getValue().fence(token, numbering);
                filled.put(server.getKey(), server.getValue());
            }
        }
        for (Map.Entry<Integer, MoveServer> server : old.entrySet()) {
            if (isFresh || !isOpenAs(server.getValue(), to.size())) {
                server.getValue().fence(token, new Numbering(from.size(), server.getKey()));
            }
        }
        Map<String, Long> last = last(old, next);
        Map<String, Long> generations = generations(last, old, next);
        Set<String> retired = retired(last.keySet(), old, next);
        for (Map.Entry<Integer, MoveServer> server : filled.entrySet()) {
            server.getValue().fill(new Numbering(to.size(), server.getKey()), last, generations, retired);
        }
        for (MoveServer server : old.values()) {
            server.change(Claim.State.MOVING, Claim.State.RETIRED);
        }
        for (MoveServer server : filled.values()) {
            server.change(Claim.State.READY, Claim.State.OPEN);
        }
    }

    /** Returns whether the old list is in use; else an earlier run has begun. */
    private boolean inspect(Map<Integer, MoveServer> old, Map<Integer, MoveServer> next) throws SQLException {
        boolean isFresh = false;
        boolean isGone = false;
        for (Map.Entry<Integer, MoveServer> server : old.entrySet()) {
            Numbering expected = new Numbering(from.size(), server.getKey());
            Optional<Claim> claim = server.getValue().claim();
            boolean isUnclaimed = claim.isEmpty() && from.size() == 1;
            boolean isOpen =
                    claim.filter(found -> found.state() == Claim.State.OPEN).isPresent();
            boolean isOld = isUnclaimed || (isOpen && claim.get().numbering().equals(expected));
            boolean isNew = isOpen && claim.get().numbering().increment() == to.size();
            if (isOpen && !isOld && !isNew) {
                throw notAsListed(server.getValue(), "old", expected, claim);
            }
            isFresh |= isOld;
            isGone |= !isUnclaimed
                    && claim.filter(found -> found.state() != Claim.State.RETIRED && found.state() != Claim.State.NEW)
                            .isEmpty();
        }
        for (Map.Entry<Integer, MoveServer> server : next.entrySet()) {
            Numbering expected = new Numbering(to.size(), server.getKey());
            Optional<Claim> claim = server.getValue().claim();
            Optional<Numbering> open =
                    claim.filter(found -> found.state() == Claim.State.OPEN).map(Claim::numbering);
            boolean isOld =
                    open.filter(found -> found.increment() == from.size()).isPresent();
            boolean isBegun = claim.filter(
                            found -> found.state() != Claim.State.RETIRED && found.state() != Claim.State.NEW)
                    .isPresent();
            if ((open.isPresent() && !open.get().equals(expected) && !isOld) || (isGone && !isBegun)) {
                throw notAsListed(server.getValue(), "new", expected, claim);
            }
        }
        requireNames(old, next);
        return isFresh;
    }

    private IdConfigurationException notAsListed(
            MoveServer server, String list, Numbering expected, Optional<Claim> found) {
        return new IdConfigurationException("A server's table is not what the " + list + " list makes it: "
                + server.label() + " table=" + table + ", expected: server " + expected.offset() + " of "
                + expected.increment() + ", found: "
                + found.map(claim -> "server " + claim.numbering().offset() + " of "
                                + claim.numbering().increment() + " state="
                                + claim.state().name().toLowerCase(Locale.ROOT))
                        .orElse("no claim")
                + ". List the servers as the applications had them, and the new ones");
    }

    private static void requireNames(Map<Integer, MoveServer> old, Map<Integer, MoveServer> next) throws SQLException {
        Set<String> names = last(old, next).keySet();
        for (MoveServer server : next.values()) {
            List<String> equal = server.equalNames(names);
            if (!equal.isEmpty()) {
                throw new IdConfigurationException(
                        "Sequences that are two on the old servers would be one on a new one: "
                                + equal + " on " + server.label()
                                + ". Give the new server's column name a collation that tells upper from lower case");
            }
        }
    }

    private Optional<String> token(Map<Integer, MoveServer> old, Map<Integer, MoveServer> next) throws SQLException {
        Map<String, String> tokens = new TreeMap<>();
        List<MoveServer> all = new ArrayList<>(old.values());
        all.addAll(next.values());
        for (MoveServer server : all) {
            server.claim().ifPresent(claim -> tokens.put(claim.token(), server.label()));
        }
        if (tokens.size() > 1) {
            throw new IdConfigurationException(
                    "The servers must belong to one id space: table=" + table + " tokens=" + tokens
                            + ". A server that was used for another id space can't take part: use another table there");
        }
        return tokens.keySet().stream().findFirst();
    }

    private static boolean isOpen(MoveServer server, Numbering numbering) throws SQLException {
        return server.claim()
                .filter(claim ->
                        claim.state() == Claim.State.OPEN && claim.numbering().equals(numbering))
                .isPresent();
    }

    private static boolean isOpenAs(MoveServer server, int servers) throws SQLException {
        return server.claim()
                .filter(claim ->
                        claim.state() == Claim.State.OPEN && claim.numbering().increment() == servers)
                .isPresent();
    }

    private static Map<String, Long> last(Map<Integer, MoveServer> old, Map<Integer, MoveServer> next)
            throws SQLException {
        Map<String, Long> last = new TreeMap<>();
        for (MoveServer server : all(old, next)) {
            server.last().forEach((name, id) -> last.merge(name, id, Math::max));
        }
        return last;
    }

    /** Counters that were retired stay so wherever they are. */
    private static Set<String> retired(Set<String> names, Map<Integer, MoveServer> old, Map<Integer, MoveServer> next)
            throws SQLException {
        Set<String> retired = new TreeSet<>();
        for (String name : names) {
            for (MoveServer server : all(old, next)) {
                if (server.noted(name)
                        .counter()
                        .filter(CounterRecord::isRetired)
                        .isPresent()) {
                    retired.add(name);
                }
            }
        }
        return retired;
    }

    private static List<MoveServer> all(Map<Integer, MoveServer> old, Map<Integer, MoveServer> next) {
        List<MoveServer> all = new ArrayList<>(old.values());
        all.addAll(next.values());
        return all;
    }

    /** Above all generations that any server had; raises the ids above those of lost servers on the way. */
    private Map<String, Long> generations(
            Map<String, Long> last, Map<Integer, MoveServer> old, Map<Integer, MoveServer> next) throws SQLException {
        Map<String, Long> generations = new HashMap<>();
        for (Map.Entry<String, Long> sequence : last.entrySet()) {
            long generation = 0;
            long noted = sequence.getValue();
            for (MoveServer server : all(old, next)) {
                RecordTable.Rows rows = server.noted(sequence.getKey());
                generation = Math.max(
                        generation,
                        rows.counter().map(counter -> counter.generation()).orElse(0L));
                for (Map.Entry<Long, Witness> witness : rows.witnesses().entrySet()) {
                    generation = Math.max(generation, witness.getValue().generation());
                    noted = Math.max(noted, witness.getValue().last());
                }
            }
            sequence.setValue(lost.isEmpty() ? sequence.getValue() : Math.addExact(noted, maxDistance));
            generations.put(sequence.getKey(), generation + 1);
        }
        return generations;
    }
}
