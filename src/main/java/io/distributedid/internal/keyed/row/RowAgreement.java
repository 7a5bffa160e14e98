package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes the {@link RowRecord} of a sequence on all its servers, at its first use ever. A server gives numbers only if
 * its own record is final.
 *
 * <p>If each server wrote its record by itself, a client with the servers A and C could begin at 1 on C, while others
 * count the same keys on B. So all servers must answer. Each belongs to one first server, and the record of the first
 * one binds the others:
 *
 * <ol>
 *   <li>Read all records. If one is missing and another is final, refuse: the server is new or has lost its rows.
 *   <li>Write the first one, if it is missing, as prepared with a random number, unless another client is faster. Read
 *       it again.
 *   <li>Write the other missing ones as prepared, each with the number of the first server and a random token, unless
 *       another client is faster. Read all again. If one has another first server, refuse.
 *   <li>Change the first record from prepared to final by compare-and-set; it then holds a checksum of the other
 *       tokens.
 *   <li>Read the first record. If its checksum is another one, refuse: a client with other servers was faster.
 *   <li>Change the other records to final.
 * </ol>
 *
 * <p>The third step decides between the lists [A, B] and [C, B], since nothing changes the first server of B any more;
 * the fourth one decides between [A, B] and [A, C]. By chance, one of a million pairs of lists is taken for one list.
 *
 * <p>A client that ends in between leaves records with which the next one goes on. A client that has found a final
 * record remembers it, also over suspends, unless it forgets one that it has not used. It writes none again: a server
 * whose record is gone since, or another one, has lost its rows. A single server's record has random numbers for that
 * alone.
 *
 * <p>A client may find final records that others have written, of another list. {@link RowComparison} refuses them.
 * Thread-safe, but one thread at a time writes records; it holds no connection when it comes.
 */
final class RowAgreement {

    private static final long FACTOR = 1_000_003;

    private final List<DedicatedConnection<RowSession>> servers;

    private final RowComparison comparison;

    private final RowRefusals refusals;

    /** @param servers one connection to each, in the order of the setting */
    RowAgreement(List<DedicatedConnection<RowSession>> servers, RowComparison comparison) {
        this.servers = servers;
        this.comparison = comparison;
        refusals = new RowRefusals(servers);
    }

    /**
     * Checks that a server whose record is not final has lost no rows: then its keys have no numbers yet, except those
     * of an operator. Returns that of a key, or a floor. For one thread at a time.
     *
     * @throws IdConfigurationException if another server has numbers of the sequence, or this process has had some
     * @throws SQLException if a server does not answer
     */
    long lastOfUnused(RowCall.Spot spot) throws SQLException, InterruptedException {
        try {
            List<Optional<RowRecord>> unused = readAll(spot.sequence());
        } catch (RefusedServerException e) {
            throw comparison.refused(spot.sequence(), e);
        }
        int server = KeyHash.server(KeyHash.of(spot.key()), servers.size());
        return call(server, spot.sequence(), session -> session.last(spot));
    }

    /**
     * Makes the records of all servers final. For one thread at a time.
     *
     * @throws IdConfigurationException if the records are those of other servers
     * @throws SQLException if a server does not answer
     */
    void reach(String sequence) throws SQLException, InterruptedException {
        try {
            write(sequence);
        } catch (RefusedServerException e) {
            throw comparison.refused(sequence, e);
        }
    }

    private void write(String sequence) throws SQLException, InterruptedException {
        KnownRecords before = comparison.known(sequence);
        List<RowRecord> records = prepared(sequence);
        Optional<RefusedServerException> other = otherFirst(sequence, records);
        if (other.isPresent()) {
            throw other.get();
        }
        RowRecord first = records.get(0);
        RowRecord bound =
                records.size() == 1 ? first : RowRecord.of(first.first(), checksum(records), records.size(), 1, true);
        if (!first.isFinal()) {
            replace(0, sequence, first, bound.token());
            first = read(0, sequence);
        }
        if (!first.equals(bound)) {
            throw refusals.of(sequence, 0, "is recorded with other servers than those of the settings", false);
        }
        comparison.require(sequence, bound, before);
        for (int i = 1; i < records.size(); i++) {
            RowRecord each = records.get(i);
            if (!each.isFinal()) {
                replace(i, sequence, each, each.token());
            }
            RowRecord written = RowRecord.of(each.first(), each.token(), each.servers(), each.place(), true);
            if (!read(i, sequence).equals(written)) {
                throw new SQLException("The record of a sequence was changed while it was written: seq=" + sequence);
            }
            comparison.require(sequence, written, before);
        }
    }

    private List<RowRecord> prepared(String sequence) throws SQLException, InterruptedException {
        List<Optional<RowRecord>> found = readAll(sequence);
        if (found.get(0).isEmpty()) {
            prepare(
                    0,
                    sequence,
                    found.size() == 1
                            ? RowRecord.ofSingleServer()
                            : RowRecord.of(RowRecord.random(RowRecord.FIRSTS), 0, found.size(), 1, false));
        }
        long first = read(0, sequence).first();
        for (int i = 1; i < found.size(); i++) {
            if (found.get(i).isEmpty()) {
                prepare(
                        i,
                        sequence,
                        RowRecord.of(first, RowRecord.random(RowRecord.TOKENS), found.size(), i + 1, false));
            }
        }
        List<RowRecord> records = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            records.add(read(i, sequence));
        }
        return records;
    }

    private void prepare(int server, String sequence, RowRecord record) throws SQLException, InterruptedException {
        call(server, sequence, session -> {
            session.prepare(sequence, record);
            return true;
        });
    }

    private RowRecord read(int server, String sequence) throws SQLException, InterruptedException {
        return call(server, sequence, session -> session.record(sequence))
                .orElseThrow(() ->
                        new SQLException("The record of a sequence was deleted while it was written: seq=" + sequence));
    }

    /** The records of all servers. Throws if one has lost its own. */
    private List<Optional<RowRecord>> readAll(String sequence) throws SQLException, InterruptedException {
        KnownRecords before = comparison.known(sequence);
        List<Optional<RowRecord>> found = read(sequence);
        if (lost(sequence, found, before).isPresent()) {
            // Another process may have written them in between. No server is without a record once one is final.
            before = comparison.known(sequence);
            found = read(sequence);
        }
        Optional<RefusedServerException> lost = lost(sequence, found, before);
        if (lost.isPresent()) {
            throw lost.get();
        }
        return found;
    }

    /** @param before what was known before the records were read: a final one has stayed on its server since */
    private Optional<RefusedServerException> lost(
            String sequence, List<Optional<RowRecord>> found, KnownRecords before) {
        KnownRecords known = comparison.known(sequence);
        List<RowRecord> told = found.stream().flatMap(Optional::stream).toList();
        // What contradicts must be noted, also if a server has lost its rows as well.
        Optional<RefusedServerException> other = told.stream()
                .filter(known::contradict)
                .findFirst()
                .map(record -> refusals.another(sequence, known, record, told))
                .or(() -> otherFirst(sequence, told));
        if (other.isPresent()) {
            return other;
        }
        boolean isBegun = told.stream().anyMatch(RowRecord::isFinal);
        for (int i = 0; i < found.size(); i++) {
            if (isBegun && found.get(i).isEmpty()) {
                return Optional.of(refusals.of(
                        sequence,
                        i,
                        "has no record, but other servers have one: it is new or has lost its rows",
                        false));
            }
            if (found.get(i).isEmpty() && known.isBegun()) {
                return Optional.of(
                        refusals.of(sequence, i, "has no record any more: it has lost its rows", known.isKept()));
            }
            if (isBegun && i == 0 && !told.get(0).isFinal()) {
                return Optional.of(
                        refusals.of(sequence, i, "has an older record than other servers: it has lost rows", false));
            }
            if (before.isKnown(i) && !found.get(i).map(RowRecord::isFinal).orElse(false)) {
                return Optional.of(refusals.older(sequence, i));
            }
        }
        return Optional.empty();
    }

    /** The number of the first server never changes. */
    private Optional<RefusedServerException> otherFirst(String sequence, List<RowRecord> told) {
        return told.stream()
                .filter(record -> record.first() != told.get(0).first())
                .findFirst()
                .map(record -> refusals.otherFirst(sequence, record, told));
    }

    private List<Optional<RowRecord>> read(String sequence) throws SQLException, InterruptedException {
        List<Optional<RowRecord>> found = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            found.add(call(i, sequence, session -> session.record(sequence)));
        }
        return found;
    }

    private void replace(int server, String sequence, RowRecord from, long token)
            throws SQLException, InterruptedException {
        RowRecord to = RowRecord.of(from.first(), token, from.servers(), from.place(), true);
        call(server, sequence, session -> {
            session.replace(sequence, from, to);
            return true;
        });
    }

    private <T> T call(int server, String sequence, DedicatedConnection.Work<RowSession, T> work)
            throws SQLException, InterruptedException {
        try {
            return comparison.call(servers.get(server), sequence, work);
        } catch (SQLException e) {
            RowException said = RowException.of(servers.get(server).label(), e);
            String why = comparison.known(sequence).isBegun()
                    ? "The sequence has begun, but one of its servers has no final record of it."
                            + " All must answer first: "
                    : "The first use of a sequence needs all its servers: ";
            throw servers.size() == 1 ? said : new RowException(why + said.getMessage(), e);
        }
    }

    /** Of the tokens of all but the first. */
    private static long checksum(List<RowRecord> records) {
        long sum = 0;
        for (RowRecord each : records.subList(1, records.size())) {
            sum = (sum * FACTOR + each.token()) % RowRecord.TOKENS;
        }
        return sum;
    }
}
