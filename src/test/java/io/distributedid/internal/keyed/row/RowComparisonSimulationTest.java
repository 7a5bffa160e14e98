package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.PlainDataSource;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * Addresses of three servers lead to one list, to another, or nowhere, and change at random, also while a server is
 * asked. Calls of all servers and comparisons come in any order. Whatever happens, a process gives numbers of one list
 * alone; and after a contradiction, only once the address of each server that took part has led to that list.
 */
class RowComparisonSimulationTest {

    private static final int SERVERS = 3;

    private static final int STEPS = 60;

    private static final String SEQUENCE = "messages";

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final Pattern SERVER = Pattern.compile("server (\\d) of 3");

    private enum Target {
        ONE,
        OTHER,
        NOWHERE;

        long first() {
            return 5L + ordinal();
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
            asked = RowConnections.of(this, place, SERVERS, TIMEOUT, nanos::get);
        }

        void to(Target another, boolean cuts) throws SQLException {
            target = another;
            contradicting.computeIfPresent(place, (any, since) -> {
                since.add(another);
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
            meanwhile();
            if (target == Target.NOWHERE) {
                throw new SQLException("away");
            }
            Connection connection = DriverManager.getConnection(url(target, place));
            lent.add(connection);
            return connection;
        }
    }

    private final AtomicLong nanos = new AtomicLong();

    /** Where the addresses of servers have led since they took part in a contradiction. */
    private final Map<Integer, Set<Target>> contradicting = new HashMap<>();

    private final List<String> log = new ArrayList<>();

    private Random random = new Random(0);

    private List<Server> servers = List.of();

    private RowComparison comparison = new RowComparison(List.of(), TIMEOUT, nanos::get);

    private Target given = Target.NOWHERE;

    private boolean isAsking;

    private static String url(Target target, int place) {
        return "jdbc:h2:mem:comparison_" + target.name().toLowerCase(Locale.ROOT) + place + ";DB_CLOSE_DELAY=-1";
    }

    private static RowRecord record(Target target, int place) {
        return RowRecord.of(target.first(), 10 * target.first() + place, SERVERS, place, true);
    }

    @BeforeEach
    void createTables() throws SQLException {
        for (Target target : List.of(Target.ONE, Target.OTHER)) {
            for (int place = 1; place <= SERVERS; place++) {
                DatabaseRows.execute(
                        url(target, place),
                        new H2RowDialect().ddl("keyed_sequence"),
                        "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('" + SEQUENCE + "', '', "
                                + record(target, place).number() + ")");
            }
        }
    }

    @AfterEach
    void drop() throws SQLException {
        for (int place = 1; place <= SERVERS; place++) {
            H2Servers.drop("comparison_one" + place, "comparison_other" + place);
        }
    }

    @Test
    void aProcessGivesNumbersOfOneListAlone() throws Exception {
        runs(0, 100);
    }

    @Test
    @Tag("model")
    void aProcessGivesNumbersOfOneListAloneInManyRuns() throws Exception {
        runs(100, 3_000 * Integer.getInteger("simulation.scale", 1));
    }

    private void runs(int from, int until) throws Exception {
        int gave = 0;
        for (int seed = from; seed < until; seed++) {
            run(seed);
            gave += given == Target.NOWHERE ? 0 : 1;
        }
        assertThat(gave).as("runs with numbers").isGreaterThan((until - from) / 4);
    }

    private void run(int seed) throws Exception {
        random = new Random(seed);
        contradicting.clear();
        log.clear();
        log.add("seed=" + seed);
        given = Target.NOWHERE;
        servers = IntStream.rangeClosed(1, SERVERS).mapToObj(Server::new).toList();
        comparison =
                new RowComparison(servers.stream().map(server -> server.asked).toList(), TIMEOUT, nanos::get);
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
        } finally {
            servers.forEach(server -> {
                server.lane.close();
                server.asked.close();
            });
        }
    }

    private Server anyServer() {
        return servers.get(random.nextInt(SERVERS));
    }

    private void step() throws SQLException, InterruptedException {
        int choice = random.nextInt(10);
        if (choice < 3) {
            move();
        } else if (choice < 8) {
            call(anyServer());
        } else {
            compare();
        }
    }

    /** While a server is asked. */
    private void meanwhile() throws SQLException {
        if (!isAsking || random.nextInt(3) > 0) {
            return;
        }
        isAsking = false;
        try {
            for (int step = random.nextInt(3); step >= 0; step--) {
                if (random.nextBoolean()) {
                    move();
                } else {
                    call(anyServer());
                }
            }
        } catch (InterruptedException e) {
            throw new SQLException(e);
        } finally {
            isAsking = true;
        }
    }

    private void move() throws SQLException {
        Server server = anyServer();
        Target target = Target.values()[random.nextInt(3)];
        boolean cuts = random.nextBoolean();
        log.add(server.place + " to " + target + (cuts ? ", cut" : ""));
        server.to(target, cuts);
    }

    private void call(Server server) throws InterruptedException {
        // Younger connections are not replaced after a refusal.
        nanos.addAndGet(Duration.ofMillis(600L + random.nextInt(6_000)).toNanos());
        KnownRecords before = comparison.known(SEQUENCE);
        try {
            RowRecord found = comparison.call(
                    server.lane, SEQUENCE, session -> session.agreed(SEQUENCE).orElseThrow());
            comparison.answered(server.lane);
            RowComparison.Next next = comparison.next(SEQUENCE, found, before);
            log.add(server.place + " tells " + found.first() + ": " + next);
            if (next != RowComparison.Next.COMPARE) {
                give(Target.values()[(int) found.first() - 5]);
            }
        } catch (SQLException e) {
            comparison.failed(server.lane);
            log.add(server.place + " is away");
        } catch (IdConfigurationException e) {
            refused(e);
        }
    }

    private void give(Target list) {
        if (given == Target.NOWHERE) {
            given = list;
        }
        assertThat(list).as("%s", log).isEqualTo(given);
        contradicting.forEach((place, since) -> assertThat(since)
                .as("server %s after the contradiction: %s", place, log)
                .contains(list));
        contradicting.clear();
    }

    private void compare() throws InterruptedException {
        nanos.addAndGet(Duration.ofMillis(600).toNanos());
        isAsking = true;
        try {
            comparison.compare(SEQUENCE);
            log.add("compared: " + comparison.known(SEQUENCE).isCompared());
        } catch (IdConfigurationException e) {
            refused(e);
        } finally {
            isAsking = false;
        }
    }

    /** The message names the server that is refused, and then one that it does not belong to. */
    private void refused(IdConfigurationException why) {
        String text = String.valueOf(why.getMessage());
        log.add("refused: " + text);
        if (text.contains("Numbers are given once")) {
            return;
        }
        Matcher named = SERVER.matcher(text);
        boolean isKept = comparison.known(SEQUENCE).isKept();
        for (boolean isFirst = true; named.find() && (isFirst || !isKept); isFirst = false) {
            Server server = servers.get(Integer.parseInt(named.group(1)) - 1);
            contradicting.put(server.place, EnumSet.of(server.target));
        }
    }
}
