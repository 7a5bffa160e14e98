package io.distributedid.mysql;

import io.distributedid.testkit.FaultRun;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;

/**
 * What befalls a pair of ticket servers, one fault after the other in an order and with pauses that come from a seed. A
 * fault ends when both servers answer again, so that one of them is always there; whether the clients have noticed is
 * left to chance.
 */
final class TicketFaults {

    /** What can happen to one server while the other is up. */
    enum Kind {
        /** The server is killed, and started again a moment later. */
        KILL_9,
        /** The server hangs for two seconds. */
        SIGSTOP,
        /** A connection breaks after the server has done a statement, and before its client knows. */
        CUT,
        /** The server ends a connection in the middle of a statement. */
        KILL,
        /** The server forgets which ids it gave. */
        TRUNCATE
    }

    private record Fault(Kind kind, FaultServer side) {}

    private static final Duration HANG = Duration.ofSeconds(2);

    private static final int LONGEST_DOWN_MILLIS = 1_000;

    private static final int LONGEST_PAUSE_MILLIS = 500;

    private static final String LAST_TICKET = "SELECT id FROM Tickets64 WHERE stub = 'a'";

    private final List<FaultServer> sides;

    private final FaultRun<Kind> run;

    TicketFaults(List<FaultServer> sides, FaultRun<Kind> run) {
        this.sides = sides;
        this.run = run;
    }

    /** Every fault at least once, the TRUNCATE only once, and then others until the time is over. */
    void runFor(Duration length) throws Exception {
        for (Fault fault : shuffled(true)) {
            inflict(fault);
        }
        Deque<Fault> more = new ArrayDeque<>();
        while (run.elapsed().compareTo(length) < 0) {
            if (more.isEmpty()) {
                more.addAll(shuffled(false));
            }
            inflict(more.remove());
        }
    }

    private List<Fault> shuffled(boolean truncate) {
        List<Fault> faults = new ArrayList<>();
        for (FaultServer side : sides) {
            faults.add(new Fault(Kind.KILL_9, side));
            faults.add(new Fault(Kind.CUT, side));
            faults.add(new Fault(Kind.KILL, side));
        }
        faults.add(new Fault(Kind.SIGSTOP, anyFaultServer()));
        if (truncate) {
            faults.add(new Fault(Kind.TRUNCATE, anyFaultServer()));
        }
        Collections.shuffle(faults, run.random());
        return faults;
    }

    private FaultServer anyFaultServer() {
        return sides.get(run.random().nextInt(sides.size()));
    }

    private void inflict(Fault fault) throws Exception {
        run.pause(LONGEST_PAUSE_MILLIS);
        run.note(fault.kind, fault.side);
        switch (fault.kind) {
            case KILL_9 -> kill9(fault.side);
            case SIGSTOP -> hang(fault.side);
            case CUT -> cut(fault.side);
            case KILL -> kill(fault.side);
            case TRUNCATE -> truncate(fault.side);
        }
    }

    private void kill9(FaultServer side) throws InterruptedException {
        side.server().kill9();
        run.pause(LONGEST_DOWN_MILLIS);
        side.server().restart();
    }

    private void hang(FaultServer side) throws Exception {
        side.server().pause();
        Thread.sleep(HANG.toMillis());
        side.server().resume();
        try (Connection connection = side.server().connect(FaultPair.SCHEMA)) {
            lastTicket(connection);
        }
    }

    /**
     * Either the ids are reserved and the client does not know, or they are drawn and the transaction is rolled back.
     */
    private void cut(FaultServer side) throws Exception {
        Future<Boolean> cut = side.proxy().cutAtAnswerTo(run.random().nextBoolean() ? "COMMIT" : "REPLACE");
        run.await("a client of " + side + " is cut off", cut::isDone);
    }

    /** Statements wait for a row that is locked, so that there is time to find one. */
    private void kill(FaultServer side) throws Exception {
        try (Connection connection = side.server().connect(FaultPair.SCHEMA);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeQuery(LAST_TICKET + " FOR UPDATE");
            run.await("a client of " + side + " is killed", () -> killOne(statement));
            connection.rollback();
        }
    }

    private static boolean killOne(Statement statement) throws SQLException {
        long client;
        try (ResultSet row = statement.executeQuery(
                "SELECT id FROM information_schema.processlist WHERE info LIKE 'SET @distributedid_number%' LIMIT 1")) {
            if (!row.next()) {
                return false;
            }
            client = row.getLong(1);
        }
        statement.execute("KILL " + client);
        return true;
    }

    /** Ends when a client has brought the server forward. */
    private void truncate(FaultServer side) throws Exception {
        try (Connection connection = side.server().connect(FaultPair.SCHEMA);
                Statement statement = connection.createStatement()) {
            long before = lastTicket(connection);
            statement.execute("TRUNCATE TABLE Tickets64");
            run.await(side + " is brought forward", () -> lastTicket(connection) > before);
        }
    }

    private static long lastTicket(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(LAST_TICKET)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}
