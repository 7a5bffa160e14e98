package io.distributedid.mysql;

import io.distributedid.mysql.FaultPair.Side;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;

/**
 * What befalls a pair of ticket servers, one fault after the other in an order and with pauses that come from a seed. A fault ends when
 * both servers answer again, so that one of them is always there; whether the clients have noticed is left to chance.
 */
final class TicketFaults {

    /** What can happen to one server while the other is up. */
    enum Kind {
        /** The server is killed, and started again a moment later. */
        KILL_9,
        /** The server hangs for five seconds. */
        SIGSTOP,
        /** A connection breaks after the server has done a statement, and before its client knows. */
        CUT,
        /** The server ends a connection in the middle of a statement. */
        KILL,
        /** The server forgets which ids it gave. */
        TRUNCATE
    }

    /** Looks whether the run is still worth going on with, and throws if not. */
    @FunctionalInterface
    interface Check {

        void run() throws Exception;
    }

    private record Fault(Kind kind, Side side) {}

    private static final Duration HANG = Duration.ofSeconds(5);

    private static final int LONGEST_DOWN_MILLIS = 2_000;

    private static final int LONGEST_PAUSE_MILLIS = 1_500;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String LAST_TICKET = "SELECT id FROM Tickets64 WHERE stub = 'a'";

    private final List<Side> sides;

    private final Random random;

    private final Check check;

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

    private final StringBuilder history = new StringBuilder();

    private final long began = System.nanoTime();

    TicketFaults(List<Side> sides, Random random, Check check) {
        this.sides = sides;
        this.random = random;
        this.check = check;
    }

    /** Every fault at least once, the TRUNCATE only once, and then others until the time is over. */
    void runFor(Duration length) throws Exception {
        for (Fault fault : shuffled(true)) {
            inflict(fault);
        }
        Deque<Fault> more = new ArrayDeque<>();
        while (System.nanoTime() - began < length.toNanos()) {
            if (more.isEmpty()) {
                more.addAll(shuffled(false));
            }
            inflict(more.remove());
        }
    }

    private List<Fault> shuffled(boolean truncate) {
        List<Fault> faults = new ArrayList<>();
        for (Side side : sides) {
            faults.add(new Fault(Kind.KILL_9, side));
            faults.add(new Fault(Kind.CUT, side));
            faults.add(new Fault(Kind.KILL, side));
        }
        faults.add(new Fault(Kind.SIGSTOP, anySide()));
        if (truncate) {
            faults.add(new Fault(Kind.TRUNCATE, anySide()));
        }
        Collections.shuffle(faults, random);
        return faults;
    }

    private Side anySide() {
        return sides.get(random.nextInt(sides.size()));
    }

    private void inflict(Fault fault) throws Exception {
        pause(LONGEST_PAUSE_MILLIS);
        history.append(String.format("%n%.1f s: %s %s", (System.nanoTime() - began) / 1e9, fault.kind, fault.side));
        switch (fault.kind) {
            case KILL_9 -> kill9(fault.side);
            case SIGSTOP -> hang(fault.side);
            case CUT -> cut(fault.side);
            case KILL -> kill(fault.side);
            case TRUNCATE -> truncate(fault.side);
        }
        counts.merge(fault.kind, 1, Integer::sum);
    }

    private void kill9(Side side) throws InterruptedException {
        side.server().kill9();
        pause(LONGEST_DOWN_MILLIS);
        side.server().restart();
    }

    private void hang(Side side) throws Exception {
        side.server().pause();
        Thread.sleep(HANG.toMillis());
        side.server().resume();
        try (Connection connection = side.server().connect(FaultPair.SCHEMA)) {
            lastTicket(connection);
        }
    }

    /** Either the ids are reserved and the client does not know, or they are drawn and the transaction is rolled back. */
    private void cut(Side side) throws Exception {
        Future<Boolean> cut = side.proxy().cutAtAnswerTo(random.nextBoolean() ? "COMMIT" : "REPLACE");
        await("a client of " + side + " is cut off", cut::isDone);
    }

    /** Statements wait for a row that is locked, so that there is time to find one. */
    private void kill(Side side) throws Exception {
        try (Connection connection = side.server().connect(FaultPair.SCHEMA);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeQuery(LAST_TICKET + " FOR UPDATE");
            await("a client of " + side + " is killed", () -> killOne(statement));
            connection.rollback();
        }
    }

    private static boolean killOne(Statement statement) throws SQLException {
        long client;
        try (ResultSet row = statement.executeQuery(
                "SELECT id FROM information_schema.processlist WHERE info LIKE 'REPLACE INTO Tickets64%' LIMIT 1")) {
            if (!row.next()) {
                return false;
            }
            client = row.getLong(1);
        }
        statement.execute("KILL " + client);
        return true;
    }

    /** Ends when a client has brought the server forward. */
    private void truncate(Side side) throws Exception {
        try (Connection connection = side.server().connect(FaultPair.SCHEMA);
                Statement statement = connection.createStatement()) {
            long before = lastTicket(connection);
            statement.execute("TRUNCATE TABLE Tickets64");
            await(side + " is brought forward", () -> lastTicket(connection) > before);
        }
    }

    private static long lastTicket(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(LAST_TICKET)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    /** Waits for something, and looks all the time whether the run is still worth it. */
    void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            check.run();
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("It takes too long until " + what);
            }
            Thread.sleep(5);
        }
    }

    private void pause(int longestMillis) throws InterruptedException {
        Thread.sleep(random.nextInt(longestMillis));
    }

    /** How often what happened. */
    Map<Kind, Integer> counts() {
        return counts;
    }

    /** What happened when. */
    @Override
    public String toString() {
        return history.toString();
    }
}
