package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PlainDataSource;
import io.distributedid.testkit.SentStatements;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Addresses of three servers lead to one list, to another, to servers without a final record, or nowhere. They change
 * at random, also while a server is asked, and before its answer is known. Calls of all servers and comparisons come in
 * any order. Whatever happens, a process gives numbers of one list alone; and after a contradiction, only once the
 * address of each server that took part has led to that list. Once all addresses lead to that list, each server gives
 * numbers.
 */
class RowComparisonSimulationTest {

    private static final int SERVERS = 3;

    private static final int STEPS = 60;

    /** Until each server gives numbers. */
    private static final int ROUNDS = 4;

    private static final String SEQUENCE = "messages";

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final Pattern SERVER = Pattern.compile("server (\\d) of 3");

    private enum Target {
        ONE(5),
        OTHER(6),
        ONE_NOT_FINAL(5),
        OTHER_NOT_FINAL(6),
        EMPTY(0),
        NOWHERE(0);

        /** The random number of its list; 0 if it has none. */
        private final long first;

        Target(long first) {
            this.first = first;
        }

        boolean isFinal() {
            return this == ONE || this == OTHER;
        }

        static Target any(Random random) {
            return random.nextInt(3) > 0 ? values()[random.nextInt(2)] : values()[random.nextInt(values().length)];
        }
    }

    /** With two connections: one of a lane, and one of the comparison. */
    private final class Server extends PlainDataSource {

        private final int place;

        private final List<Connection> lent = new ArrayList<>();

        private Target target = Target.ONE;

        private final DedicatedConnection<RowSession> lane;

        private final DedicatedConnection<RowSession> asked;

        Server(int place) {
            this.place = place;
            lane = RowConnections.of(this, place, SERVERS, TIMEOUT, nanos::get);
            asked = RowConnections.of(new Asked(this), place, SERVERS, TIMEOUT, nanos::get);
        }

        void to(Target another, boolean isCut) throws SQLException {
            // A connection that goes on telling no final record is not replaced.
            boolean cuts = isCut || !target.isFinal();
            target = another;
            contradicting.computeIfPresent(place, (any, since) -> {
                since.add(another.first);
                return since;
            });
            if (cuts) {
                for (Connection each : lent) {
                    each.close();
                }
                lent.clear();
            }
        }

        @Override
        public Connection getConnection() throws SQLException {
            return lend(DriverManager::getConnection);
        }

        Connection lend(Opener opener) throws SQLException {
            meanwhile(this);
            if (target == Target.NOWHERE) {
                throw new SQLException("away");
            }
            Connection connection = opener.open(url(target, place));
            lent.add(connection);
            return connection;
        }
    }

    @FunctionalInterface
    private interface Opener {

        Connection open(String url) throws SQLException;
    }

    /** Something may happen after a record was read there. */
    private final class Asked extends PlainDataSource {

        private final Server server;

        Asked(Server server) {
            this.server = server;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return server.lend(
                    url -> SentStatements.losingAnswers(url, this::goOn).getConnection());
        }

        private boolean goOn(String sql) {
            if (sql.startsWith("SELECT number, CURRENT_TIMESTAMP FROM keyed_sequence")) {
                meanwhile(server);
            }
            return false;
        }
    }

    private final AtomicLong nanos = new AtomicLong();

    /** The lists to which the addresses of servers have led since they took part in a contradiction. */
    private final Map<Integer, Set<Long>> contradicting = new HashMap<>();

    private final List<String> log = new ArrayList<>();

    private Random random = new Random(0);

    private List<Server> servers = List.of();

    private RowComparison comparison = new RowComparison(List.of(), TIMEOUT, nanos::get);

    private RowAgreement agreement = new RowAgreement(List.of(), comparison);

    /** The list whose numbers were given; 0 if none were. */
    private long given;

    private boolean isAsking;

    /** Whether something happens while a server is asked. */
    private boolean isNested;

    private boolean isMoving;

    private static String url(Target target, int place) {
        return "jdbc:h2:mem:comparison_" + target.name().toLowerCase(Locale.ROOT) + place + ";DB_CLOSE_DELAY=-1";
    }

    private static RowRecord record(Target target, int place) {
        // The first server's token is made last.
        long token = place == 1 && !target.isFinal() ? 0 : 10 * target.first + place;
        return RowRecord.of(target.first, token, SERVERS, place, target.isFinal());
    }

    @BeforeEach
    void createTables() throws SQLException {
        for (Target target : EnumSet.complementOf(EnumSet.of(Target.NOWHERE))) {
            for (int place = 1; place <= SERVERS; place++) {
                DatabaseRows.execute(url(target, place), new H2RowDialect().ddl("keyed_sequence"));
                if (target != Target.EMPTY) {
                    DatabaseRows.execute(
                            url(target, place),
                            "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('" + SEQUENCE
                                    + "', ' @record', " + record(target, place).number() + ")");
                }
            }
        }
    }

    @AfterEach
    void drop() throws SQLException {
        for (Target target : EnumSet.complementOf(EnumSet.of(Target.NOWHERE))) {
            for (int place = 1; place <= SERVERS; place++) {
                H2Servers.drop("comparison_" + target.name().toLowerCase(Locale.ROOT) + place);
            }
        }
    }

    @Test
    void aProcessGivesNumbersOfOneListAlone() throws Exception {
        runs(0, 100);
    }

    @Test
    @Tag("slow")
    @Tag("model")
    void aProcessGivesNumbersOfOneListAloneInManyRuns() throws Exception {
        runs(100, 3_000 * Integer.getInteger("simulation.scale", 1));
    }

    private void runs(int from, int until) throws Exception {
        int gave = 0;
        for (int seed = from; seed < until; seed++) {
            gave += run(seed) ? 1 : 0;
        }
        assertThat(gave).as("runs with numbers").isGreaterThan((until - from) / 4);
    }

    /** Tells whether numbers were given while addresses moved. */
    private boolean run(int seed) throws Exception {
        random = new Random(seed);
        contradicting.clear();
        log.clear();
        log.add("seed=" + seed);
        given = 0;
        isMoving = true;
        servers = IntStream.rangeClosed(1, SERVERS).mapToObj(Server::new).toList();
        List<DedicatedConnection<RowSession>> asked =
                servers.stream().map(server -> server.asked).toList();
        comparison = new RowComparison(asked, TIMEOUT, nanos::get);
        agreement = new RowAgreement(asked, comparison);
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
            boolean hasGiven = given != 0;
            settle();
            return hasGiven;
        } finally {
            servers.forEach(server -> {
                server.lane.close();
                server.asked.close();
            });
        }
    }

    /** All addresses lead to one list in the end: the one that the process keeps, if there is one. */
    private void settle() throws SQLException, InterruptedException {
        isMoving = false;
        KnownRecords known = comparison.known(SEQUENCE);
        Target right = Target.values()[random.nextInt(2)];
        if (known.isKept()) {
            long first = known.byPlace().values().iterator().next().first();
            right = first == Target.ONE.first ? Target.ONE : Target.OTHER;
        }
        for (Server server : servers) {
            log.add(server.place + " to " + right + " for good");
            server.to(right, false);
        }
        boolean isSettled = false;
        for (int round = 0; round < ROUNDS && !isSettled; round++) {
            isSettled = true;
            for (Server server : servers) {
                isSettled &= call(server);
                compare();
            }
        }
        assertThat(isSettled).as("each server gives numbers: %s", log).isTrue();
    }

    private Server anyServer() {
        return servers.get(random.nextInt(SERVERS));
    }

    private void step() throws SQLException, InterruptedException {
        int choice = random.nextInt(10);
        if (choice < 3) {
            move(anyServer());
        } else if (choice < 8) {
            call(anyServer());
        } else {
            compare();
        }
    }

    /** While a server is asked: mostly to that one, which then contradicts what it has just told. */
    private void meanwhile(Server asked) {
        nanos.incrementAndGet();
        if (!isAsking || isNested || !isMoving || random.nextInt(3) > 0) {
            return;
        }
        isNested = true;
        try {
            for (int step = random.nextInt(4); step >= 0; step--) {
                Server server = random.nextBoolean() ? asked : anyServer();
                if (random.nextBoolean()) {
                    move(server);
                } else {
                    call(server);
                }
            }
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            isNested = false;
        }
    }

    @FunctionalInterface
    private interface Question {

        void ask() throws SQLException, InterruptedException;
    }

    private void whileAsked(Question question) throws SQLException, InterruptedException {
        isAsking = true;
        try {
            question.ask();
        } finally {
            isAsking = isNested;
        }
    }

    private void move(Server server) throws SQLException {
        Target target = Target.any(random);
        boolean cuts = random.nextBoolean();
        log.add(server.place + " to " + target + (cuts ? ", cut" : ""));
        server.to(target, cuts);
    }

    /** Tells whether the server gives numbers. */
    private boolean call(Server server) throws InterruptedException {
        // Younger connections are not replaced after a refusal.
        nanos.addAndGet(Duration.ofMillis(600L + random.nextInt(6_000)).toNanos());
        KnownRecords before = comparison.known(SEQUENCE);
        try {
            Optional<RowRecord> found = comparison.call(server.lane, SEQUENCE, session -> session.agreed(SEQUENCE));
            comparison.answered(server.lane);
            if (found.isEmpty()) {
                log.add(server.place + " has no final record");
                if (!isNested) {
                    whileAsked(() -> agreement.lastOfUnused(new RowCall.Spot(SEQUENCE, "0", RowCall.Want.LAST)));
                }
                return false;
            }
            whileAsked(() -> meanwhile(server));
            RowComparison.Next next = comparison.next(SEQUENCE, found.get(), before);
            log.add(server.place + " tells " + found.get().first() + ": " + next);
            if (next != RowComparison.Next.COMPARE) {
                give(found.get().first());
                return true;
            }
        } catch (SQLException e) {
            comparison.failed(server.lane);
            log.add(server.place + " is away");
        } catch (IdConfigurationException e) {
            refused(e);
        }
        return false;
    }

    private void give(long list) {
        if (given == 0) {
            given = list;
        }
        assertThat(list).as("%s", log).isEqualTo(given);
        contradicting.forEach((place, since) -> assertThat(since)
                .as("server %s after the contradiction: %s", place, log)
                .contains(list));
        contradicting.clear();
    }

    private void compare() throws SQLException, InterruptedException {
        nanos.addAndGet(Duration.ofMillis(600).toNanos());
        try {
            whileAsked(() -> comparison.compare(SEQUENCE));
            log.add("compared: " + comparison.known(SEQUENCE).isCompared());
        } catch (IdConfigurationException e) {
            refused(e);
        }
    }

    /** The message names the server that is refused, and then one that it does not belong to. */
    private void refused(IdConfigurationException why) {
        String text = String.valueOf(why.getMessage());
        log.add("refused: " + text);
        if (text.contains("Numbers are given once") || text.contains("lost rows") || text.contains("has no record")) {
            return;
        }
        Matcher named = SERVER.matcher(text);
        boolean isKept = comparison.known(SEQUENCE).isKept();
        for (boolean isFirst = true; named.find() && (isFirst || !isKept); isFirst = false) {
            Server server = servers.get(Integer.parseInt(named.group(1)) - 1);
            contradicting.put(server.place, new HashSet<>(Set.of(server.target.first)));
        }
    }
}
