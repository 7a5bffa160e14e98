package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.FailureText;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes the {@link RowRecord} of a sequence on all its servers, at its first use ever. A server gives numbers only if
 * its own record is final.
 *
 * <p>If each server wrote its record by itself, a client with the servers A and C could begin at 1 on C, while others
 * count the same keys on B. So all servers must answer, and the record of the first one binds the others:
 *
 * <ol>
 *   <li>Read all records. If one is missing and another is final, refuse: the server is new or has lost its rows.
 *   <li>Write the missing ones as prepared, each with a random token, unless another client is faster. Read all again.
 *   <li>Change the first record from prepared to final by compare-and-set; it then holds a checksum of the other
 *       tokens.
 *   <li>Read the first record. If its checksum is another one, refuse: a client with other servers was faster.
 *   <li>Change the other records to final.
 * </ol>
 *
 * <p>A client that ends in between leaves records with which the next one goes on. A client that has found final
 * records writes none again: a server whose record is gone since has lost its rows. Thread-safe; one thread at a time
 * works on it, and holds no connection when it comes.
 */
final class RowAgreement {

    private static final long FACTOR = 1_000_003;

    private final List<DedicatedConnection<RowSession>> servers;

    private final ReentrantLock lock = new ReentrantLock();

    /** The sequences whose records were final. */
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    /** @param servers one connection to each, in the order of the setting */
    RowAgreement(List<DedicatedConnection<RowSession>> servers) {
        this.servers = servers;
    }

    /** Learns that a server has found its record final. */
    void begun(String sequence) {
        begun.add(sequence);
    }

    /**
     * Makes the records of all servers final.
     *
     * @throws IdConfigurationException if the records are those of other servers
     * @throws SQLException if a server does not answer
     */
    void reach(String sequence) throws SQLException, InterruptedException {
        lock.lockInterruptibly();
        try {
            List<RowRecord> records = prepared(sequence);
            long checksum = checksum(records);
            RowRecord first = records.get(0);
            if (!first.isFinal()) {
                replace(0, sequence, first, checksum);
                first = read(sequence).get(0).orElse(first);
            }
            if (!first.isFinal() || first.token() != checksum) {
                throw refused(sequence, 0, "is recorded with other servers than those of the settings");
            }
            for (int i = 1; i < records.size(); i++) {
                if (!records.get(i).isFinal()) {
                    replace(i, sequence, records.get(i), records.get(i).token());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private List<RowRecord> prepared(String sequence) throws SQLException, InterruptedException {
        List<Optional<RowRecord>> found = read(sequence);
        boolean isBegun = found.stream().flatMap(Optional::stream).anyMatch(RowRecord::isFinal);
        boolean isSingle = found.size() == 1;
        for (int i = 0; i < found.size(); i++) {
            boolean isFirstPrepared =
                    i == 0 && !isSingle && !found.get(0).map(RowRecord::isFinal).orElse(false);
            if (isBegun && (found.get(i).isEmpty() || isFirstPrepared)) {
                throw refused(sequence, i, "has no record, but other servers have one: it is new or has lost its rows");
            }
            if (found.get(i).isEmpty() && begun.contains(sequence)) {
                throw refused(sequence, i, "has no record any more: it has lost its rows");
            }
            if (found.get(i).isEmpty()) {
                long token = i == 0 ? 0 : ThreadLocalRandom.current().nextLong(RowRecord.TOKENS);
                RowRecord record = RowRecord.of(token, found.size(), i + 1, isSingle);
                call(i, session -> {
                    session.prepare(sequence, record);
                    return true;
                });
            }
        }
        List<RowRecord> records = new ArrayList<>();
        for (Optional<RowRecord> each : read(sequence)) {
            records.add(each.orElseThrow(() ->
                    new SQLException("The record of a sequence was deleted while it was written: seq=" + sequence)));
        }
        return records;
    }

    private List<Optional<RowRecord>> read(String sequence) throws SQLException, InterruptedException {
        List<Optional<RowRecord>> found = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            found.add(call(i, session -> session.record(sequence)));
        }
        return found;
    }

    private void replace(int server, String sequence, RowRecord from, long token)
            throws SQLException, InterruptedException {
        RowRecord to = RowRecord.of(token, from.servers(), from.place(), true);
        call(server, session -> {
            session.replace(sequence, from, to);
            return true;
        });
    }

    private <T> T call(int server, DedicatedConnection.Work<RowSession, T> work)
            throws SQLException, InterruptedException {
        try {
            return servers.get(server).call(work);
        } catch (SQLException e) {
            if (servers.size() == 1) {
                throw e;
            }
            throw new SQLException(
                    "The first use of a sequence needs all its servers: "
                            + servers.get(server).label() + " said: " + FailureText.of(e),
                    e.getSQLState(),
                    e);
        }
    }

    private IdConfigurationException refused(String sequence, int server, String why) {
        return new IdConfigurationException("The servers of a sequence must not change: seq=" + sequence + ", server "
                + (server + 1) + " of " + servers.size() + " ("
                + servers.get(server).label() + ") " + why
                + ". Restore the former list in " + DistributedIdSettings.KEYED_ROW_SERVERS + ", or restore its rows");
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
