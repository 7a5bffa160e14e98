package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counting.sql.MySqlTrips;
import io.distributedid.internal.counting.sql.SkipLocked;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Reserves blocks from several InnoDB ticket tables, each with a row of its own, in one transaction of three round
 * trips. The statements and their order for each table are those of {@link InnoDbTickets}, but no query waits for a
 * lock:
 *
 * <pre>
 * START TRANSACTION;
 * SELECT counter, generation FROM distributedid_record FORCE INDEX (PRIMARY)
 *     WHERE counter IN ('Photos/a', 'Users/a') AND server = 0 FOR SHARE SKIP LOCKED;
 * SELECT id FROM Photos WHERE stub = 'a' FOR UPDATE SKIP LOCKED;
 * SELECT id FROM Users WHERE stub = 'a' FOR UPDATE SKIP LOCKED;
 * SELECT TABLE_NAME, ENGINE FROM information_schema.TABLES WHERE ... TABLE_NAME IN ('Photos', 'Users');
 *
 * SET SESSION auto_increment_increment = S * n, auto_increment_offset = o, &#64;distributedid_ticket = 0;
 * REPLACE INTO Photos (stub) VALUES ('a');
 * SELECT LAST_INSERT_ID(), &#64;&#64;auto_increment_increment, &#64;&#64;auto_increment_offset;
 * REPLACE INTO Photos (stub, id) VALUES ('a', LAST_INSERT_ID() + S * (n - 1));
 * ... the same for Users, with &#64;distributedid_ticket = 1;
 *
 * COMMIT;
 * </pre>
 *
 * <p>A row that is not found is locked, lost, or the table is new, which plain queries in a fourth trip tell. A table
 * with which something is wrong is left out: it is missing, its engine or its record has changed, it is at its end.
 * Then it is drawn from alone, and its caller gets the reason. If a statement of a table fails, the transaction is
 * rolled back and repeated without that table. {@code @distributedid_ticket} tells which one it was.
 *
 * <p>Two processes that write the first row of new tables may deadlock. After a deadlock, new tables are left to a
 * later call. For one thread at a time, used once.
 */
final class InnoDbTicketBatch {

    private static final Logger LOG = System.getLogger(InnoDbTicketBatch.class.getName());

    private static final int ATTEMPTS = 5;

    private static final String NUMBER = "@distributedid_ticket";

    private final MySqlTrips trips;

    private final SkipLocked locks;

    private final BiConsumer<InnoDbTickets, Block> drawn;

    private final Consumer<InnoDbTickets> locked;

    /** Those that were neither left out nor found locked. */
    private final List<BatchedTicket> open = new ArrayList<>();

    private boolean defersNew;

    /**
     * @param draws of open tables that {@linkplain InnoDbTickets#canShareTrips can share trips}, not empty
     * @param drawn gets the blocks after the commit
     * @param locked gets the counters that are locked
     */
    InnoDbTicketBatch(
            SkipLocked locks,
            Map<InnoDbTickets, Draw> draws,
            BiConsumer<InnoDbTickets, Block> drawn,
            Consumer<InnoDbTickets> locked) {
        draws.forEach((counter, draw) -> open.add(new BatchedTicket(counter, draw)));
        this.trips = open.get(0).statements().trips();
        this.locks = locks;
        this.drawn = drawn;
        this.locked = locked;
    }

    void run() throws SQLException {
        for (int attempt = 1; attempt <= ATTEMPTS && !open.isEmpty(); attempt++) {
            if (begin() && write()) {
                for (BatchedTicket each : open) {
                    Block block = each.block();
                    if (block != null) {
                        drawn.accept(each.counter(), block);
                    }
                }
                return;
            }
        }
    }

    /** Locks the rows of those that stay open. Returns false if the transaction has ended. */
    private boolean begin() throws SQLException {
        BatchedTicketReads reads = new BatchedTicketReads(open);
        List<String> fences = reads.generations(locks::byPrimaryKey, locks.share());
        List<String> queries = new ArrayList<>(List.of("START TRANSACTION"));
        queries.addAll(fences);
        open.forEach(each -> queries.add(each.statements().lastUnlessLocked(locks)));
        queries.addAll(reads.engines());
        List<List<List<Object>>> found;
        try {
            found = trips.run(queries);
        } catch (SQLException e) {
            if (!SqlErrors.isSyntaxOrAccess(e)) {
                throw e;
            }
            trips.run(List.of("ROLLBACK"));
            leaveMissingOut(reads, e);
            return false;
        }
        int rows = fences.size();
        int engines = rows + open.size();
        Set<BatchedTicket> unfenced = reads.unfound(found.subList(0, rows));
        Set<BatchedTicket> refused = reads.changed(found.subList(0, rows));
        refused.addAll(reads.notInnoDb(found.subList(engines, found.size())));
        Set<BatchedTicket> skipped = new LinkedHashSet<>(unfenced);
        for (int i = 0; i < open.size(); i++) {
            List<List<Object>> row = found.get(rows + i);
            if (row.isEmpty()) {
                skipped.add(open.get(i));
            } else if (!isOurs(open.get(i), row.get(0).get(0))) {
                refused.add(open.get(i));
            }
        }
        skipped.removeAll(refused);
        open.removeAll(refused);
        open.removeAll(skipped);
        if (!skipped.isEmpty()) {
            sort(List.copyOf(skipped), unfenced);
        }
        if (open.isEmpty()) {
            trips.run(List.of("ROLLBACK"));
        }
        return !open.isEmpty();
    }

    /** Keeps the id of a locked row. False if it is one that the single draw would refuse. */
    private static boolean isOurs(BatchedTicket ticket, Object id) throws SQLException {
        try {
            long last = UnsignedColumn.of(id);
            ticket.statements().requireOurs(last);
            ticket.setLast(last);
            return true;
        } catch (IdConfigurationException | IdsExhaustedException e) {
            LOG.log(Level.DEBUG, "A ticket table is left out of a batch", e);
            return false;
        }
    }

    /** Tells locked rows from those of new tables, which are open again. */
    private void sort(List<BatchedTicket> skipped, Set<BatchedTicket> unfenced) throws SQLException {
        BatchedTicketReads reads = new BatchedTicketReads(skipped);
        List<String> fences = reads.generations(record -> record, "");
        List<String> queries = new ArrayList<>(fences);
        skipped.forEach(each -> queries.add(each.statements().last()));
        queries.addAll(reads.recorded());
        List<List<List<Object>>> found = trips.run(queries);
        Set<BatchedTicket> unrecorded = reads.unfound(found.subList(0, fences.size()));
        Set<BatchedTicket> used = reads.hadRow(found.subList(fences.size() + skipped.size(), found.size()));
        for (int i = 0; i < skipped.size(); i++) {
            BatchedTicket each = skipped.get(i);
            boolean isThere = !found.get(fences.size() + i).isEmpty();
            boolean isLost = !isThere && (each.draw().lastKnown() > 0 || used.contains(each));
            if (unrecorded.contains(each) || isLost) {
                continue;
            }
            if (isThere || defersNew || unfenced.contains(each)) {
                locked.accept(each.counter());
            } else {
                open.add(each);
            }
        }
    }

    /** Draws from all that are open. Returns false if the transaction was rolled back. */
    private boolean write() throws SQLException {
        List<String> writes = new ArrayList<>();
        for (int number = 0; number < open.size(); number++) {
            BatchedTicket each = open.get(number);
            writes.add(each.statements().moveOnBy(each.length()) + ", " + NUMBER + " = " + number);
            writes.add(each.statements().draw());
            writes.add(MySqlTicketStatements.drawn());
            if (each.length() > 1) {
                writes.add(each.statements()
                        .insertId("LAST_INSERT_ID() + " + each.statements().span(each.length())));
            }
            each.statements().note(each.draw(), each.last()).ifPresent(writes::add);
        }
        List<List<List<Object>>> found;
        try {
            found = trips.run(writes);
        } catch (SQLException e) {
            leaveOut(e);
            return false;
        }
        List<String> ends = new ArrayList<>();
        List<BatchedTicket> exhausted = new ArrayList<>();
        for (int i = 0; i < open.size(); i++) {
            draw(open.get(i), found.get(i).get(0), ends, exhausted);
        }
        if (!exhausted.isEmpty()) {
            trips.run(List.of("ROLLBACK"));
            open.removeAll(exhausted);
            return false;
        }
        ends.add("COMMIT");
        trips.run(ends);
        return true;
    }

    private static void draw(BatchedTicket ticket, List<Object> row, List<String> ends, List<BatchedTicket> exhausted)
            throws SQLException {
        try {
            Block block = ticket.statements().blockFrom(row, ticket.length());
            if (block.first() > ticket.last()) {
                ticket.setBlock(block);
            } else {
                ends.add(ticket.statements().raiseAbove(ticket.last()));
            }
        } catch (IdsExhaustedException e) {
            LOG.log(Level.DEBUG, "A ticket table is left out of a batch", e);
            exhausted.add(ticket);
        }
    }

    /** Rolls back, and leaves out the table whose statement failed; throws if the server did. */
    private void leaveOut(SQLException failure) throws SQLException {
        boolean isDeadlock = SqlErrors.isDeadlock(failure);
        boolean isLocked = SqlErrors.isLockWaitTimeout(failure);
        boolean isRefused = SqlErrors.isSyntaxOrAccess(failure) || MySqlTicketStatements.isExhausted(failure);
        if (!isDeadlock && !isLocked && !isRefused) {
            throw failure;
        }
        List<List<List<Object>>> found = trips.run(List.of("ROLLBACK", "SELECT " + NUMBER));
        BatchedTicket failed = open.remove(
                Math.toIntExact(UnsignedColumn.of(found.get(0).get(0).get(0))));
        LOG.log(
                Level.DEBUG,
                "A ticket table is left out of a batch: " + failed.statements().table(),
                failure);
        if (isLocked) {
            locked.accept(failed.counter());
        } else if (isDeadlock) {
            defersNew = true;
            Transactions.pause(1);
        }
    }

    private void leaveMissingOut(BatchedTicketReads reads, SQLException failure) throws SQLException {
        Set<BatchedTicket> missing = reads.notInnoDb(trips.run(reads.engines()));
        LOG.log(Level.DEBUG, "Ticket tables are left out of a batch: " + missing.size(), failure);
        if (missing.isEmpty()) {
            open.clear();
        }
        open.removeAll(missing);
    }
}
