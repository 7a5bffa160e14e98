package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.ledger.CounterLedger;
import io.distributedid.internal.counter.sql.SessionSettings;
import io.distributedid.internal.jdbc.MySqlTable;
import io.distributedid.internal.jdbc.MySqlTrips;
import io.distributedid.internal.jdbc.ServerVersion;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.ledger.Version;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Block;
import io.distributedid.spi.DatabaseProduct;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Draws tickets on MySQL and MariaDB, from any number of tables in one trip; without multi-queries, each statement
 * takes its own. A block of n ids on a server with increment S and offset o:
 *
 * <pre>
 * START TRANSACTION;
 *
 * SET @number0 = (SELECT number FROM distributedid WHERE name = 'tickets64/' FOR UPDATE),
 *     @fence0 = (SELECT COUNT(*) ... AND version = '17-a01f' AND state = 'OPEN' AND @@server_uuid = '...' FOR UPDATE),
 *     @last0 = (SELECT id FROM Tickets64 WHERE stub = 'a' FOR UPDATE),
 *     @engine0 = (SELECT ENGINE FROM information_schema.TABLES WHERE ...);
 * SET @distributedid_ticket = IF(@fence0 = 1 AND ..., 1, (SELECT 1 UNION ALL SELECT 2));
 * ... the same for each table, and then for each:
 *
 * SET SESSION auto_increment_increment = S * n, auto_increment_offset = o, @none = LAST_INSERT_ID(0), ...;
 * REPLACE INTO Tickets64 (stub, id) VALUES ('a', NULL);
 * REPLACE INTO Tickets64 (stub, id) VALUES ('a', LAST_INSERT_ID() + S * (n - 1));
 * UPDATE distributedid SET state = IF(LAST_INSERT_ID() &lt;= GREATEST(@number0, @last0, ...), 'LOST', state),
 *     number = IF(..., number, LAST_INSERT_ID() + S * (n - 1)) WHERE name = 'tickets64/' AND IF(..., ...,
 *     version = '17-a01f' AND state = 'OPEN' AND number &lt; LAST_INSERT_ID() AND ...);
 * SET @given = ...;
 * INSERT INTO distributedid ... 'tickets64/@2' ... WHERE @given = 1 ON DUPLICATE KEY UPDATE ...;
 * SELECT LAST_INSERT_ID(), @@auto_increment_increment, @@auto_increment_offset, ...;
 *
 * COMMIT;
 * </pre>
 *
 * <p><b>Locks.</b> The rows of the ledger are locked in the order of their names, each before its counter. A row of the
 * ledger is waited for as long as {@link SessionSettings} says. A counter that a foreign
 * transaction holds is not waited for in a list. After a deadlock, as on Flickr's table, all is repeated.
 *
 * <p><b>Refusal.</b> The second statement of each table fails, by a subquery with two rows, unless the row of the
 * ledger is open under the version, and the table still is of its engine and holds a number of this server. A block of
 * another engine would not be ours. So whoever is refused draws no number: later draws would pass the evidence. All
 * tables are asked before the first number is drawn. {@code @distributedid_ticket} tells of which table a statement
 * failed: the list goes again without that.
 *
 * <p><b>Numbers.</b> The first REPLACE moves the server's counter on by S * n, so that id, id + S, ..., id + S * (n -
 * 1) belong to the caller. Clients with another n, and plain REPLACEs with increment S, keep the remainder o and never
 * overlap. What was drawn counts only if the session's variables are those: a proxy may have given us another session.
 * {@code LAST_INSERT_ID(0)} ends what an earlier draw left there. The second REPLACE is for plain clients after a
 * restart: MySQL 8 makes the id durable that was written last, but not the counter beyond it.
 *
 * <p><b>Losses.</b> The number that is drawn tells how far the counter is, the row does not: a plain REPLACE that drew
 * its number before ours may write it after ours. A number that does not lie above the ledger's, above the row that was
 * there, and above what the process knows marks the row of the ledger as LOST.
 *
 * <p><b>MyISAM and Aria.</b> Their counter follows the largest id in the table, so a draw gives one id, by the same
 * statements, each by itself and without locks. It is dropped if another client has drawn meanwhile, so that the row of
 * the ledger does not show a loss. For one thread at a time.
 */
final class MySqlTicketDraws {

    /** A server reduces a larger increment to this, with only a warning. */
    private static final long MAX_INCREMENT = 65_535;

    private static final int BLOCKS_PER_CLEAN_UP = 100;

    /** The most rows that one clean-up deletes. */
    private static final int CLEAN_UP_ROWS = 10_000;

    /** ER_LOCK_NOWAIT. */
    private static final int LOCKED = 3572;

    /** ER_WARN_DATA_OUT_OF_RANGE, ER_AUTOINC_READ_FAILED. */
    private static final List<Integer> EXHAUSTED = List.of(1264, 1467);

    /** ER_SUBQUERY_NO_1_ROW. */
    private static final int REFUSED = 1242;

    /** Fails if it is evaluated. */
    private static final String REFUSE = "(SELECT 1 UNION ALL SELECT 2)";

    private static final String TICKET = "@distributedid_ticket";

    private static final String ATTEMPT = "@distributedid_attempt";

    private static final String GIVEN = "@distributedid_given";

    /**
     * A draw from one table.
     *
     * @param isForced whether a number is drawn whatever the row of the ledger says, and not given
     * @param length how many ids to draw
     */
    record Ticket(Draw draw, MySqlTicketTable table, CounterLedger ledger, boolean isForced, long length) {

        String row() {
            return ledger.key(draw.counter()).ledgerRow();
        }

        /** The ledger's table. */
        String rows() {
            return ledger.sql().table();
        }
    }

    private final MySqlTrips trips;

    private final Numbering numbering;

    private final String atOnce;

    private long attempts;

    /** How many blocks came from a table whose old rows are deleted. */
    private final Map<String, Integer> blocks = new HashMap<>();

    MySqlTicketDraws(MySqlTicketServer server) throws SQLException {
        this.trips = server.trips();
        this.numbering = server.numbering();
        this.atOnce = ServerVersion.skipsLocked(server.connection(), DatabaseProduct.of(server.connection()))
                ? " NOWAIT"
                : "";
    }

    /** As many ids as are wanted, the server can draw at once, and the column has. */
    Ticket ticket(Draw draw, MySqlTicketTable table, CounterLedger ledger) {
        long left = (table.largest(numbering) - draw.known()) / numbering.increment();
        long length = Math.min(draw.wanted(), Math.min(MAX_INCREMENT / numbering.increment(), left));
        return new Ticket(draw, table, ledger, false, table.isTransactional() ? Math.max(1, length) : 1);
    }

    /** Writes a row with that id, or with the next number if it is NULL. Later numbers lie above it. */
    static String insert(TicketTable table, String id) {
        return table.style() == TicketTable.Style.REPLACE
                ? "REPLACE INTO " + table.name() + " (stub, id) VALUES ('" + TicketTable.STUB + "', " + id + ")"
                : "INSERT INTO " + table.name() + " (id) VALUES (" + id + ")";
    }

    /** See {@link io.distributedid.internal.counter.CounterSession#draw}. */
    Map<CounterKey, Drawn> draw(List<Ticket> tickets) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        List<Ticket> together = new ArrayList<>(tickets);
        together.removeIf(each -> !each.table.isTransactional());
        together.sort(Comparator.comparing(Ticket::row));
        run(together, drawn);
        for (Ticket each : tickets) {
            if (!each.table.isTransactional()) {
                run(List.of(each), drawn);
            }
            Drawn answer = drawn.get(each.draw.counter());
            if (answer != null && answer.block() != null && each.table.table().style() == TicketTable.Style.INSERT) {
                cleanUp(each.table.table().name(), answer.block().first());
            }
        }
        return drawn;
    }

    /** All are from tables of one kind. */
    private void run(List<Ticket> all, Map<CounterKey, Drawn> drawn) throws SQLException {
        List<Ticket> open = new ArrayList<>(all);
        while (!open.isEmpty()) {
            boolean isTransaction = open.get(0).table.isTransactional();
            List<String> statements = statements(open, isTransaction, all.size() > 1 ? atOnce : "");
            try {
                List<List<List<Object>>> found = isTransaction
                        ? trips.runInTransaction(statements)
                        : Transactions.repeat(() -> trips.run(statements));
                List<Ticket> before = List.copyOf(open);
                open.clear();
                for (int i = 0; i < before.size(); i++) {
                    Ticket each = before.get(i);
                    answer(each, judge(each, found.get(i).get(0)), open, drawn);
                }
            } catch (SQLException e) {
                leaveOut(open, e, drawn);
            }
        }
    }

    /** At the end of its column, a block is shortened. */
    private static void answer(Ticket ticket, Drawn answer, List<Ticket> open, Map<CounterKey, Drawn> drawn) {
        if (answer.outcome() == Drawn.Outcome.EXHAUSTED && ticket.length > 1) {
            open.add(new Ticket(ticket.draw, ticket.table, ticket.ledger, ticket.isForced, 1));
        } else {
            drawn.put(ticket.draw.counter(), answer);
        }
    }

    /**
     * Answers the draw that failed. Throws if it was the server that did. A suppressed error is one of the rollback.
     */
    private void leaveOut(List<Ticket> open, SQLException failure, Map<CounterKey, Drawn> drawn) throws SQLException {
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
        Ticket ticket = open.remove(open.size() == 1 ? 0 : failed(failure));
        if (SqlErrors.isLockWaitTimeout(failure) || failure.getErrorCode() == LOCKED) {
            drawn.put(ticket.draw.counter(), Drawn.LOCKED);
        } else if (EXHAUSTED.contains(failure.getErrorCode())) {
            answer(ticket, Drawn.EXHAUSTED, open, drawn);
        } else if (failure.getErrorCode() == REFUSED
                || SqlErrors.tableIsMissing(failure)
                || (SqlErrors.isSyntaxOrAccess(failure) && !open.isEmpty())) {
            // A look at it, or a draw from it alone, will say what is wrong.
            drawn.put(ticket.draw.counter(), Drawn.REFUSED);
        } else {
            throw failure;
        }
    }

    /** Which of several draws failed. */
    private int failed(SQLException failure) throws SQLException {
        try {
            List<Object> found = trips.run(List.of("SELECT " + TICKET + ", " + ATTEMPT))
                    .get(0)
                    .get(0);
            if (UnsignedColumn.of(found.get(1)) == attempts) {
                return Math.toIntExact(UnsignedColumn.of(found.get(0)));
            }
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
        // Perhaps a proxy has given us another session.
        throw failure;
    }

    private List<String> statements(List<Ticket> tickets, boolean isTransaction, String wait) {
        List<String> all = new ArrayList<>();
        if (tickets.size() > 1) {
            all.add("SET " + TICKET + " = 0, " + ATTEMPT + " = " + ++attempts);
        }
        for (int i = 0; i < tickets.size(); i++) {
            lock(tickets.get(i), i, isTransaction, wait, all);
        }
        for (int i = 0; i < tickets.size(); i++) {
            draw(tickets.get(i), i, all);
        }
        return all;
    }

    private void lock(Ticket ticket, int i, boolean isTransaction, String wait, List<String> all) {
        TicketTable table = ticket.table.table();
        String number = variable("number", i);
        String fence = variable("fence", i);
        String last = variable("last", i);
        String engine = variable("engine", i);
        String lock = isTransaction ? " FOR UPDATE" : "";
        String row = " FROM " + ticket.rows() + " WHERE name = '" + ticket.row() + "'";
        String ofRow = "SET " + number + " = (SELECT number" + row + lock + "), " + fence + " = (SELECT COUNT(*)" + row
                + " AND version = '" + ticket.draw.version() + "' AND state = 'OPEN' AND "
                + ticket.ledger.isSameServer() + lock + "), " + engine + " = ("
                + MySqlTable.engineQuery(table.name()) + ")";
        String ofCounter = last + " = (" + table.last()
                + (table.style() == TicketTable.Style.REPLACE && isTransaction ? lock + wait : "") + ")";
        // On MariaDB, NOWAIT applies to a whole statement.
        all.addAll(wait.isEmpty() ? List.of(ofRow + ", " + ofCounter) : List.of(ofRow, "SET " + ofCounter));
        String isUsable = ticket.isForced
                ? last + " IS NOT NULL"
                : fence + " = 1 AND (" + last + " <= " + ticket.draw.furthest() + " OR " + last + " > "
                        + largest(ticket) + ") AND (" + last + " = 0 OR " + isOurs(last) + ")";
        all.add("SET " + TICKET + " = IF(" + isUsable + " AND " + engine + " = '" + ticket.table.engine() + "', "
                + (i + 1) + ", " + REFUSE + ")");
    }

    private static String variable(String name, int i) {
        return "@distributedid_" + name + i;
    }

    /** Whether it is a number of this server, in SQL. */
    private String isOurs(String id) {
        return "MOD(" + id + ", " + numbering.increment() + ") = " + numbering.offset() % numbering.increment();
    }

    private void draw(Ticket ticket, int i, List<String> all) {
        Draw draw = ticket.draw;
        long span = span(ticket);
        long end = Math.max(0, largest(ticket) - span);
        String step = "auto_increment_increment = " + increment(ticket);
        String offset = "auto_increment_offset = " + numbering.offset();
        // Up to there, a number must not be given again.
        String isKnown = "LAST_INSERT_ID() <= GREATEST(" + variable("number", i) + ", " + variable("last", i) + ", "
                + draw.known() + ")";
        all.add("SET SESSION " + step + ", " + offset + ", @distributedid_none = LAST_INSERT_ID(0), " + TICKET + " = "
                + i);
        all.add(insert(ticket.table.table(), "NULL"));
        if (ticket.length > 1) {
            all.add(insert(ticket.table.table(), "LAST_INSERT_ID() + " + span));
        }
        all.add("UPDATE " + ticket.rows() + " SET state = IF(" + isKnown + ", 'LOST', state), number = IF(" + isKnown
                + ", number, LAST_INSERT_ID() + " + span + ") WHERE name = '" + ticket.row() + "' AND IF(" + isKnown
                + ", LAST_INSERT_ID() BETWEEN 1 AND " + end + ", version = '" + draw.version()
                + "' AND state = 'OPEN' AND number < LAST_INSERT_ID() AND LAST_INSERT_ID() <= "
                + Math.max(0, Math.min(end, draw.furthest() - span)) + " AND " + isOurs("LAST_INSERT_ID()") + " AND @@"
                + step
                + " AND @@" + offset + ")");
        all.add("SET " + GIVEN + " = ROW_COUNT() = 1 AND NOT (" + isKnown + ")");
        if (!draw.notes().isEmpty()) {
            all.add("INSERT INTO " + ticket.rows() + " (name, version, number, state, text) "
                    + draw.notes().entrySet().stream()
                            .map(each -> note(ticket, each.getKey(), each.getValue()))
                            .collect(Collectors.joining(" UNION ALL "))
                    + " ON DUPLICATE KEY UPDATE number = GREATEST(number, VALUES(number))");
        }
        all.add("SELECT LAST_INSERT_ID(), @@auto_increment_increment, @@auto_increment_offset, " + GIVEN + ", "
                + isKnown);
    }

    private static String note(Ticket ticket, long offset, long seen) {
        return "SELECT '" + ticket.ledger.key(ticket.draw.counter()).note(offset) + "', '" + ticket.draw.version()
                + "', " + seen + ", 'NONE', '-' FROM DUAL WHERE " + GIVEN + " = 1";
    }

    private long increment(Ticket ticket) {
        return ticket.length * numbering.increment();
    }

    /** The difference between the last and the first id. */
    private long span(Ticket ticket) {
        return increment(ticket) - numbering.increment();
    }

    private long largest(Ticket ticket) {
        return ticket.table.largest(numbering);
    }

    /** The answer to a draw, by the row of its last query. */
    private Drawn judge(Ticket ticket, List<Object> row) throws SQLException {
        long first = UnsignedColumn.atMost(row.get(0));
        long increment = UnsignedColumn.of(row.get(1));
        long offset = UnsignedColumn.of(row.get(2));
        if (UnsignedColumn.of(row.get(3)) == 1) {
            return Drawn.of(new Block(first, numbering.increment(), ticket.length));
        }
        if (first > largest(ticket) - span(ticket)) {
            return Drawn.EXHAUSTED;
        }
        if (increment != increment(ticket) || offset != numbering.offset() || !numbering.holds(first)) {
            throw new SQLException("The server must number rows by the session's settings: id=" + first
                    + " increment=" + increment + " offset=" + offset + ", expected: increment="
                    + increment(ticket) + " offset=" + numbering.offset()
                    + ". A proxy may share sessions between clients" + Pages.onCall("proxy"));
        }
        boolean isDropped = !ticket.table.isTransactional() && UnsignedColumn.of(row.get(4)) == 0;
        return isDropped && first <= ticket.draw.furthest() ? Drawn.LOCKED : Drawn.REFUSED;
    }

    /** See {@link io.distributedid.internal.counter.CounterSession#drawNumber}. */
    void drawNumber(CounterKey counter, MySqlTicketTable table, CounterLedger ledger) throws SQLException {
        Draw draw = new Draw(counter, 1, new Version(1, "0"), 0, Long.MAX_VALUE, Map.of());
        Map<CounterKey, Drawn> drawn = new HashMap<>();
        run(List.of(new Ticket(draw, table, ledger, true, 1)), drawn);
        if (drawn.containsValue(Drawn.LOCKED)) {
            throw new SQLException("Another transaction has locked the counter: " + counter + Pages.onCall("locked"));
        }
    }

    private void cleanUp(String table, long below) throws SQLException {
        if (blocks.merge(table, 1, Integer::sum) % BLOCKS_PER_CLEAN_UP != 0) {
            return;
        }
        try {
            trips.run(List.of("DELETE FROM " + table + " WHERE id < " + below + " ORDER BY id LIMIT " + CLEAN_UP_ROWS));
        } catch (SQLException e) {
            // The next clean-up deletes these rows too.
            if (!SqlErrors.isDeadlock(e) && !SqlErrors.isLockWaitTimeout(e)) {
                throw e;
            }
        }
    }
}
