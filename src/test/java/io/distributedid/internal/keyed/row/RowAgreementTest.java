package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PlainDataSource;
import io.distributedid.testkit.SentStatements;
import io.distributedid.testkit.SwitchingDataSource;
import io.distributedid.testkit.Together;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients write the records of two servers, end in between, or meet a client with another list. */
class RowAgreementTest {

    private static final List<String> URLS =
            List.of(url("agreement_a"), url("agreement_b"), url("agreement_c"), url("agreement_d"));

    private static final int KEYS = 20;

    /** By the hash, on the first and the second of two servers. */
    private static final int FIRST = 1;

    private static final int SECOND = 5;

    private static String url(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    @BeforeEach
    void createTables() throws SQLException {
        for (String url : URLS) {
            DatabaseRows.execute(url, new H2RowDialect().ddl("keyed_sequence"));
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("agreement_a", "agreement_b", "agreement_c", "agreement_d");
    }

    private static void write(int server, RowRecord record) throws SQLException {
        DatabaseRows.execute(
                URLS.get(server),
                "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', ' @record', " + record.number()
                        + ")");
    }

    private static RowRecord read(int server) throws SQLException {
        long number = DatabaseRows.number(
                URLS.get(server),
                "SELECT number FROM keyed_sequence WHERE name = 'messages' AND key_text = ' @record'");
        return RowRecord.parse(number, "messages", URLS.get(server));
    }

    private static DistributedIds open(int... servers) {
        List<String> urls = Arrays.stream(servers).mapToObj(URLS::get).toList();
        return DistributedIds.create(Map.of("distributedid.keyed.row.servers", urls));
    }

    private static void assertGiven(DistributedIds ids) {
        for (int key = 0; key < KEYS; key++) {
            assertThat(ids.keyed("messages").next(key)).isEqualTo(1);
        }
    }

    private static void assertRefused(DistributedIds ids, String why) {
        for (int key = 0; key < KEYS; key++) {
            int each = key;
            assertThatThrownBy(() -> ids.keyed("messages").next(each))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(why);
        }
    }

    @Test
    void theFirstUseMakesAllRecordsFinal() throws SQLException {
        try (DistributedIds ids = open(0, 1)) {
            assertGiven(ids);
        }
        assertThat(read(0)).isEqualTo(RowRecord.of(read(1).first(), read(1).token(), 2, 1, true));
        assertThat(read(1).place()).isEqualTo(2);
        assertThat(read(1).isFinal()).isTrue();
        assertThat(read(1).first()).isPositive();
    }

    @Test
    void theNextClientGoesOnWhereOneHasEnded() throws SQLException {
        write(0, RowRecord.of(5, 0, 2, 1, false));
        try (DistributedIds ids = open(0, 1)) {
            assertGiven(ids);
        }
    }

    @Test
    void theNextClientGoesOnAfterTheFirstRecordIsFinal() throws SQLException {
        write(0, RowRecord.of(5, 17, 2, 1, true));
        write(1, RowRecord.of(5, 17, 2, 2, false));
        try (DistributedIds ids = open(0, 1)) {
            assertGiven(ids);
        }
        assertThat(read(1)).isEqualTo(RowRecord.of(5, 17, 2, 2, true));
    }

    /** A client with the servers A and C has prepared both, and another one with A and B was faster. */
    @Test
    void aServerThatIsNotInTheFirstRecordGivesNothing() throws SQLException {
        write(0, RowRecord.of(5, 17, 2, 1, true));
        write(2, RowRecord.of(5, 18, 2, 2, false));
        try (DistributedIds ids = open(0, 2)) {
            long given = 0;
            for (int key = 0; key < KEYS; key++) {
                try {
                    ids.keyed("messages").next(key);
                    given++;
                } catch (IdConfigurationException e) {
                    assertThat(e).hasMessageContaining("is recorded with other servers than those of the settings");
                }
            }
            assertThat(given).isBetween(1L, KEYS - 1L);
        }
        assertThat(read(2).isFinal()).isFalse();
        assertThat(DatabaseRows.rows(URLS.get(2), "SELECT key_text FROM keyed_sequence"))
                .containsExactly(" @record");
    }

    @Test
    void aFirstServerThatHasLostItsRowsIsRefused() throws SQLException {
        write(1, RowRecord.of(5, 17, 2, 2, true));
        write(0, RowRecord.of(5, 0, 2, 1, false));
        try (DistributedIds ids = open(0)) {
            assertRefused(ids, "is recorded on server 1 of 2, but the settings make it server 1 of 1");
        }
        try (DistributedIds ids = open(0, 1)) {
            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("has an older record than other servers: it has lost rows. Restore");
        }
        assertThat(read(0).isFinal()).isFalse();
    }

    /** The connections of the client stay open. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aServerThatLosesItsRowsUnderARunningClientGivesNothing(int servers) throws SQLException {
        try (DistributedIds ids = open(servers == 1 ? new int[] {0} : new int[] {1, 0})) {
            assertGiven(ids);
            DatabaseRows.execute(URLS.get(0), "TRUNCATE TABLE keyed_sequence");

            int refused = 0;
            for (int key = 0; key < KEYS; key++) {
                try {
                    assertThat(ids.keyed("messages").next(key)).as("key " + key).isEqualTo(2);
                } catch (IdConfigurationException e) {
                    assertThat(e).hasMessageContaining("has lost its rows");
                    refused++;
                }
            }
            assertThat(refused).isBetween(1, servers == 1 ? KEYS : KEYS - 1);
        }
        assertThat(DatabaseRows.rows(URLS.get(0), "SELECT key_text FROM keyed_sequence"))
                .isEmpty();
    }

    /** The connections of the client stay open. Another one has begun the sequence anew. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void serversThatWereEmptiedAndBegunAnewGiveNothingToARunningClient(int servers) throws SQLException {
        int[] list = servers == 1 ? new int[] {0} : new int[] {0, 1};
        try (DistributedIds ids = open(list)) {
            for (int key : new int[] {FIRST, SECOND}) {
                assertThat(ids.keyed("messages").next(key, 3)).endsWith(3);
            }
            for (int server : list) {
                DatabaseRows.execute(URLS.get(server), "DELETE FROM keyed_sequence");
            }
            try (DistributedIds others = open(list)) {
                for (int key = 100; key < 100 + KEYS; key++) {
                    assertThat(others.keyed("messages").next(key)).isEqualTo(1);
                }
            }

            for (int key : new int[] {FIRST, SECOND, FIRST}) {
                for (Callable<Object> call : List.<Callable<Object>>of(
                        () -> ids.keyed("messages").next(key),
                        () -> ids.keyed("messages").current(key))) {
                    assertThatThrownBy(call::call)
                            .isInstanceOf(IdConfigurationException.class)
                            .hasMessageMatching("The servers of a sequence must not change: seq=messages, server [12]"
                                    + " of " + servers + " .* has another record than before.*")
                            .hasMessageContaining(": it has lost its rows and was begun anew, or its address leads to"
                                    + " another server");
                }
            }
        }
        for (int server : list) {
            assertThat(DatabaseRows.rows(
                            URLS.get(server), "SELECT key_text FROM keyed_sequence WHERE key_text IN ('1', '5')"))
                    .isEmpty();
        }
    }

    /** A caller has seen a number that the sequence would give again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theyGiveNothingToAClientThatHasOnlyReadEither(int servers) throws SQLException {
        int[] list = servers == 1 ? new int[] {0} : new int[] {0, 1};
        try (DistributedIds ids = open(list);
                DistributedIds others = open(list)) {
            assertThat(others.keyed("messages").next(FIRST, 41)).endsWith(41);
            assertThat(ids.keyed("messages").current(FIRST)).isEqualTo(41);
            for (int server : list) {
                DatabaseRows.execute(URLS.get(server), "DELETE FROM keyed_sequence");
            }
            try (DistributedIds anew = open(list)) {
                assertGiven(anew);
            }
            for (int i = 0; i < 3; i++) {
                assertRefused(ids, FIRST, "has another record than before");
            }
        }
    }

    /** Of two kinds of clients, whose lists differ in one server, only one gets numbers of that server. */
    @ParameterizedTest
    @ValueSource(ints = {FIRST, SECOND})
    void clientsWithDifferentListsAtTheSameTimeNeverBothGetNumbers(int key) throws Exception {
        for (int round = 0; round < 20; round++) {
            String sequence = "round" + round;
            CyclicBarrier together = new CyclicBarrier(4);
            List<Boolean> given = Together.run(4, thread -> {
                int other = 2 * (thread % 2);
                try (DistributedIds ids = key == FIRST ? open(other, 1) : open(1, other)) {
                    together.await();
                    return ids.keyed(sequence).next(key) > 0;
                } catch (IdConfigurationException e) {
                    return false;
                }
            });

            assertThat(given.get(0) || given.get(2)).isNotEqualTo(given.get(1) || given.get(3));
        }
    }

    /** A client with A and B ends when the record of A is final, and that of B is not. */
    @Test
    void anotherFirstServerIsRefusedOnceTheSecondOneIsPrepared() throws Exception {
        SentStatements second = SentStatements.failing(URLS.get(1), sql -> sql.contains("SET number = ?"));
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.keyed.row.servers",
                List.of(URLS.get(0), second),
                "distributedid.block.timeout",
                "1s"))) {
            Await.until("the first record is final", () -> {
                assertThatThrownBy(() -> ids.keyed("messages").next(SECOND)).isInstanceOf(IdUnavailableException.class);
                return isFinal(0);
            });
        }
        assertThat(isFinal(1)).isFalse();

        try (DistributedIds other = open(2, 1);
                DistributedIds ids = open(0, 1)) {
            assertRefused(other, "belongs to another first server");
            assertGiven(ids);
        }
        assertThat(isFinal(2)).isFalse();
    }

    private static boolean isFinal(int server) throws SQLException {
        List<String> found = DatabaseRows.rows(
                URLS.get(server),
                "SELECT number FROM keyed_sequence WHERE name = 'messages' AND key_text = ' @record'");
        return !found.isEmpty()
                && RowRecord.parse(Long.parseLong(found.get(0)), "messages", "here")
                        .isFinal();
    }

    /** Both sequences have begun, so that all records are final. */
    @Test
    void aServerOfAnotherAgreementIsRefused() throws SQLException {
        try (DistributedIds ids = open(0, 1);
                DistributedIds others = open(2, 3)) {
            assertGiven(ids);
            assertGiven(others);
        }
        for (int[] list : new int[][] {{0, 3}, {2, 1}}) {
            for (int key : new int[] {FIRST, SECOND}) {
                try (DistributedIds ids = open(list)) {
                    assertRefused(ids, key, "belongs to another first server than server ");
                    assertRefused(ids, "belongs to another first server than server ");
                    assertRefused(ids, "server 1 of 2 (" + label(list[0]) + ")");
                    assertRefused(ids, "server 2 of 2 (" + label(list[1]) + ")");
                }
            }
        }
    }

    private static String label(int server) {
        return URLS.get(server).replaceAll(";.*", "");
    }

    private static void assertRefused(DistributedIds ids, int key, String why) {
        for (Callable<Object> call : List.<Callable<Object>>of(
                () -> ids.keyed("messages").next(key),
                () -> ids.keyed("messages").current(key))) {
            assertThatThrownBy(call::call)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(why);
        }
    }

    private static DistributedIds open(DataSource first, int second) {
        return DistributedIds.create(Map.of(
                "distributedid.keyed.row.servers",
                List.of(first, URLS.get(second)),
                "distributedid.keyed.row.connections",
                1,
                "distributedid.timeout",
                "1m",
                "distributedid.block.timeout",
                "2m"));
    }

    private static void beginTwoLists() throws SQLException {
        for (int[] list : new int[][] {{0, 1}, {2, 3}}) {
            try (DistributedIds ids = open(list)) {
                assertGiven(ids);
                ids.keyed("remarks").next(FIRST);
            }
        }
    }

    /**
     * An address that leads to another server from one moment to the next. H2 aborts no connection within a process.
     */
    private static final class MovedServer extends PlainDataSource {

        private final List<Connection> lent = new CopyOnWriteArrayList<>();

        private volatile int server;

        void to(int another) throws SQLException {
            server = another;
            for (Connection each : lent) {
                each.close();
            }
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = DriverManager.getConnection(URLS.get(server));
            lent.add(connection);
            return connection;
        }
    }

    /** Its own number is known: it belongs to another list. The other server stays, and may be the wrong one. */
    @Test
    void anotherFirstServerUnderARunningClientIsRefusedUntilTheFormerOneIsBack() throws SQLException {
        beginTwoLists();
        MovedServer first = new MovedServer();
        try (DistributedIds ids = open(first, 1)) {
            assertThat(ids.keyed("messages").next(FIRST)).isEqualTo(2);
            assertThat(ids.keyed("messages").next(SECOND)).isEqualTo(2);
            first.to(2);

            String why = "server 1 of 2 (data source 1) has another record than before, and does not belong to server 2"
                    + " of 2 (" + label(1) + ") any more: it has lost its rows and was begun anew, or its address leads"
                    + " to another server. Restore the former list";
            for (int key : new int[] {FIRST, SECOND, FIRST}) {
                assertRefused(ids, key, why);
            }
            ids.suspend();
            ids.resume();
            for (int key : new int[] {SECOND, FIRST}) {
                assertRefused(ids, key, why);
            }
            first.to(0);
            assertThat(ids.keyed("messages").next(SECOND)).isEqualTo(3);
            assertThat(ids.keyed("messages").next(FIRST)).isEqualTo(3);
        }
        assertThat(DatabaseRows.number(
                        URLS.get(2),
                        "SELECT MAX(number) FROM keyed_sequence WHERE name = 'messages' AND key_text > ' @record'"))
                .isEqualTo(1);
    }

    private static boolean isRefused(DistributedIds ids, int key) {
        try {
            return ids.keyed("messages").current(key) < 0;
        } catch (IdConfigurationException e) {
            return true;
        }
    }

    /** No key of the first server is used. */
    @Test
    void aFirstServerThatWasAwayIsAskedAgain() throws SQLException {
        beginTwoLists();
        SwitchingDataSource first = new SwitchingDataSource("");
        try (DistributedIds ids = open(first, 3)) {
            assertThat(ids.keyed("messages").next(SECOND)).isEqualTo(2);
            first.to(URLS.get(0));
            Await.until("its record is compared", () -> isRefused(ids, SECOND));
            assertRefused(
                    ids, SECOND, "server 1 of 2 (data source 1) belongs to another first server than server 2 of");
        }
    }

    /** A server that connects once it may. */
    private static final class SlowServer extends PlainDataSource implements AutoCloseable {

        private final String url;

        private final CountDownLatch goesOn = new CountDownLatch(1);

        private volatile boolean isAsked;

        SlowServer(int server) {
            url = URLS.get(server);
        }

        @Override
        public Connection getConnection() throws SQLException {
            isAsked = true;
            Await.until("it goes on", () -> goesOn.getCount() == 0);
            return DriverManager.getConnection(url);
        }

        boolean isAsked() {
            return isAsked;
        }

        @Override
        public void close() {
            goesOn.countDown();
        }
    }

    private static DistributedIds open(Object first, Object second, int connections, String blockTimeout) {
        return DistributedIds.create(Map.of(
                "distributedid.keyed.row.servers",
                List.of(first, second),
                "distributedid.keyed.row.connections",
                connections,
                "distributedid.timeout",
                "1m",
                "distributedid.block.timeout",
                blockTimeout));
    }

    /** A call that takes too long on a busy machine asks no server: another one follows. */
    private static void callUntilAsked(DistributedIds ids, int key, SlowServer server) {
        new Thread(() -> {
                    for (int call = 0; call < 100 && !server.isAsked(); call++) {
                        boolean unused = isNextRefused(ids, key);
                    }
                })
                .start();
        Await.until("the server is asked", server::isAsked);
    }

    private static int anotherKeyOfTheFirst() {
        return IntStream.range(FIRST + 1, 1_000)
                .filter(key -> KeyHash.server(KeyHash.of(Integer.toString(key)), 2) == 0)
                .findFirst()
                .orElseThrow();
    }

    /** The first server is the wrong one, which the second one would tell. */
    @Test
    void allCallsWaitForTheServerThatIsAsked() throws Exception {
        beginTwoLists();
        int other = anotherKeyOfTheFirst();
        try (SlowServer second = new SlowServer(1);
                DistributedIds ids = open(URLS.get(2), second, 2, "1s")) {
            callUntilAsked(ids, FIRST, second);
            for (int key : new int[] {FIRST, other}) {
                assertThatThrownBy(() -> ids.keyed("messages").next(key)).isInstanceOf(IdUnavailableException.class);
            }
            second.goesOn.countDown();
            Await.until("its record is compared", () -> isNextRefused(ids, FIRST));
            assertRefused(ids, other, "belongs to another first server");
        }
    }

    /** A call of the second server opens its connection. */
    @Test
    void allCallsWaitForAServerThatIsBusy() throws Exception {
        beginTwoLists();
        try (SlowServer second = new SlowServer(1);
                DistributedIds ids = open(URLS.get(2), second, 1, "1s")) {
            callUntilAsked(ids, SECOND, second);
            assertThatThrownBy(() -> ids.keyed("messages").next(FIRST)).isInstanceOf(IdUnavailableException.class);
            second.goesOn.countDown();
            Await.until("its record is compared", () -> isNextRefused(ids, FIRST));
        }
    }

    private static boolean isNextRefused(DistributedIds ids, int key) {
        try {
            return ids.keyed("messages").next(key) < 0;
        } catch (IdConfigurationException e) {
            return true;
        } catch (IdUnavailableException e) {
            return false;
        }
    }

    /** The second server is the wrong one, which the first one would tell. */
    @Test
    void aServerThatIsAskedDuringASuspendIsAskedAgain() throws Exception {
        beginTwoLists();
        try (SlowServer first = new SlowServer(0);
                DistributedIds ids = open(first, URLS.get(3), 1, "2m")) {
            callUntilAsked(ids, SECOND, first);
            ids.suspend();
            first.goesOn.countDown();
            ids.resume();
            assertRefused(ids, SECOND, "belongs to another first server");
        }
    }

    /** The server that is asked is up, but the connection to it is broken. It is another one by now. */
    @Test
    void aBrokenConnectionIsNoServerThatIsAway() throws Exception {
        beginTwoLists();
        MovedServer second = new MovedServer();
        second.to(1);
        try (DistributedIds ids = open(URLS.get(0), second, 1, "2m")) {
            assertThat(ids.keyed("messages").next(FIRST)).isEqualTo(2);
            second.to(3);
            assertThatThrownBy(() -> ids.keyed("remarks").next(FIRST))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("belongs to another first server");
        }
    }

    private static boolean isGiven(DistributedIds ids, int key) {
        try {
            return ids.keyed("messages").next(key) >= 2;
        } catch (IdConfigurationException | IdUnavailableException e) {
            return false;
        }
    }

    /** All connections stay open. No number was given while it was wrong. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void anAddressThatIsCorrectedNeedsNoRestart(int wrong) throws SQLException {
        beginTwoLists();
        int[] list = {0, 1};
        list[wrong] = 2 + wrong;
        PlainDataSource moved = new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return DriverManager.getConnection(URLS.get(list[wrong]));
            }
        };
        try (DistributedIds ids = wrong == 0 ? open(moved, URLS.get(1), 1, "2m") : open(URLS.get(0), moved, 1, "2m")) {
            assertRefused(ids, FIRST, "The servers of a sequence must not change");
            list[wrong] = wrong;
            for (int key : new int[] {FIRST, SECOND}) {
                Await.every(
                        Duration.ofMillis(20),
                        Duration.ofSeconds(20),
                        "key " + key + " has a number",
                        () -> isGiven(ids, key),
                        () -> "refusals");
            }
        }
    }

    /** The client has found a record at the wrong address, and none at the right one. */
    @Test
    void aSequenceCanBeginOnceAnAddressIsCorrected() throws SQLException {
        beginTwoLists();
        MovedServer first = new MovedServer();
        first.to(2);
        try (DistributedIds ids = open(first, 1)) {
            assertThatThrownBy(() -> ids.keyed("messages").current(FIRST))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("belongs to another first server");
            for (int server : new int[] {0, 1}) {
                DatabaseRows.execute(URLS.get(server), "DELETE FROM keyed_sequence");
            }
            first.to(0);
            assertThat(ids.keyed("messages").next(FIRST)).isEqualTo(1);
        }
    }

    @Test
    void theFirstServerIsComparedOnceItAnswers() throws SQLException {
        try (DistributedIds ids = open(0, 1);
                DistributedIds others = open(2, 3)) {
            assertGiven(ids);
            assertGiven(others);
        }
        for (int second : new int[] {1, 3}) {
            SwitchingDataSource first = new SwitchingDataSource("");
            try (DistributedIds ids = DistributedIds.create(Map.of(
                    "distributedid.keyed.row.servers",
                    List.of(first, URLS.get(second)),
                    "distributedid.block.timeout",
                    "2m"))) {
                assertThat(ids.keyed("messages").next(SECOND)).isEqualTo(2);
                first.to(URLS.get(0));
                if (second == 1) {
                    assertThat(ids.keyed("messages").next(FIRST)).isEqualTo(2);
                    assertThat(ids.keyed("messages").next(SECOND)).isEqualTo(3);
                } else {
                    for (int key : new int[] {FIRST, SECOND}) {
                        assertRefused(ids, key, "belongs to another first server");
                    }
                }
            }
        }
    }

    /** Its address was wrong, which the other server has told before it stopped. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aServerThatWasContradictedGivesNothingWhileTheOtherOneIsAway(int wrong) throws SQLException {
        beginTwoLists();
        MovedServer moved = new MovedServer();
        moved.to(2 + wrong);
        SwitchingDataSource right = new SwitchingDataSource(URLS.get(1 - wrong));
        int key = wrong == 0 ? FIRST : SECOND;
        try (DistributedIds ids = wrong == 0 ? open(moved, right, 1, "2m") : open(right, moved, 1, "2m")) {
            assertRefused(ids, key, "belongs to another first server");
            right.cut();
            assertRefused(ids, key, "agree; for now no final record comes from server " + (2 - wrong) + " of 2");

            moved.to(wrong);
            right.to(URLS.get(1 - wrong));
            Await.until("the servers agree", () -> isGiven(ids, key));
        }
    }

    /** Only another client, with the right list, had prepared its record. */
    @Test
    void aServerThatIsContradictedByARecordThatIsNotFinalGivesNothingEither() throws SQLException {
        write(1, RowRecord.of(5, 17, 2, 2, false));
        try (DistributedIds others = open(2, 3)) {
            assertGiven(others);
        }
        SwitchingDataSource second = new SwitchingDataSource(URLS.get(1));
        try (DistributedIds ids = open(URLS.get(2), second, 1, "2m")) {
            assertThatThrownBy(() -> ids.keyed("messages").next(SECOND))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("belongs to another first server");
            second.cut();
            assertRefused(ids, FIRST, "belongs to another first server");
        }
        try (DistributedIds ids = open(2, 1)) {
            assertRefused(ids, SECOND, "belongs to another first server");
        }
    }

    /** The first use has prepared only the first server. Then the address of the second one leads to another list. */
    @ParameterizedTest
    @ValueSource(ints = {FIRST, SECOND})
    void aFirstServerWithARecordThatIsNotFinalContradictsToo(int key) throws SQLException {
        write(0, RowRecord.of(5, 0, 2, 1, false));
        try (DistributedIds others = open(2, 3)) {
            assertGiven(others);
        }
        SwitchingDataSource first = new SwitchingDataSource(URLS.get(0));
        try (DistributedIds ids = open(first, URLS.get(3), 1, "2m")) {
            assertRefused(ids, key, "belongs to another first server than server ");
            first.cut();
            assertRefused(ids, SECOND, "belongs to another first server than server ");
        }
    }

    /** Three servers of three lists: any of the records that were read may be the wrong one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1})
    void allThatContradictEachOtherAreNotedThoughAServerHasLostItsRows(int lost) throws SQLException {
        List<DedicatedConnection<RowSession>> servers = IntStream.range(0, 3)
                .mapToObj(server -> RowConnections.of(
                        new SwitchingDataSource(URLS.get(server)), server + 1, 3, Duration.ofMinutes(1), () -> 0))
                .toList();
        Set<Integer> places = IntStream.range(0, 3)
                .filter(server -> server != lost)
                .mapToObj(server -> server + 1)
                .collect(Collectors.toSet());
        for (int place : places) {
            write(place - 1, RowRecord.of(4L + place, 17, 3, place, true));
        }
        try {
            RowComparison comparison = new RowComparison(servers, Duration.ofMinutes(1), () -> 0);
            RowAgreement agreement = new RowAgreement(servers, comparison);
            assertThatThrownBy(() -> agreement.reach("messages"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("belongs to another first server than server " + (lost == 0 ? 2 : 1));
            assertThat(Objects.requireNonNull(comparison.known("messages").contradiction())
                            .places())
                    .isEqualTo(places);
        } finally {
            servers.forEach(DedicatedConnection::close);
        }
    }

    /** It is the second of three servers. */
    @Test
    void aServerOfALongerListContradictsToo() throws SQLException {
        write(0, RowRecord.of(5, 17, 2, 1, true));
        write(1, RowRecord.of(6, 18, 3, 2, true));
        SwitchingDataSource second = new SwitchingDataSource(URLS.get(1));
        try (DistributedIds ids = open(URLS.get(0), second, 1, "2m")) {
            assertRefused(ids, SECOND, "server 2 of 3");
            second.cut();
            assertRefused(ids, FIRST, "server 2 of 3");
        }
    }

    /** Its address was wrong, and the first use had not got to the second server. */
    @Test
    void aFirstServerThatContradictsItselfGivesNumbersOnceTheSecondAgrees() throws SQLException {
        try (DistributedIds others = open(2, 3)) {
            others.keyed("messages").next(FIRST);
        }
        SentStatements wrong = SentStatements.failing(URLS.get(1), sql -> sql.contains("SET number = ?"));
        AtomicBoolean isRight = new AtomicBoolean();
        PlainDataSource second = new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return isRight.get() ? DriverManager.getConnection(URLS.get(3)) : wrong.getConnection();
            }
        };
        MovedServer first = new MovedServer();
        try (DistributedIds ids = open(first, second, 1, "1s")) {
            Await.until("the first record is final", () -> !isGiven(ids, FIRST) && isFinal(0));
            isRight.set(true);
            first.to(2);
            Await.until("the second server agrees", () -> isGiven(ids, FIRST));
        }
    }

    /** A backup from before its record became final. */
    @Test
    void aServerThatIsRestoredUnderARunningClientToARecordThatWasNotFinalGivesNothing() throws SQLException {
        write(0, RowRecord.of(5, 0, 2, 1, false));
        write(1, RowRecord.of(5, 17, 2, 2, false));
        try (DistributedIds ids = open(0, 1)) {
            assertGiven(ids);
            DatabaseRows.execute(URLS.get(1), "DELETE FROM keyed_sequence");
            write(1, RowRecord.of(5, 17, 2, 2, false));
            assertRefused(
                    ids,
                    SECOND,
                    "server 2 of 2 (" + label(1) + ") has an older record than before: it has lost rows. Restore");
            assertThat(ids.keyed("messages").next(FIRST)).isEqualTo(2);
        }
        assertThat(read(1).isFinal()).isFalse();
    }

    /** That has no room for another connection. */
    @Test
    void aServerThatIsRefusedLeavesTheConnectionsOfTheOthersOpen() throws Exception {
        AtomicBoolean isFull = new AtomicBoolean();
        PlainDataSource first = new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                if (isFull.get()) {
                    throw new SQLException("too many connections", "08004");
                }
                return DriverManager.getConnection(URLS.get(0));
            }
        };
        try (DistributedIds ids = open(first, URLS.get(1), 1, "2m")) {
            assertGiven(ids);
            long opened = System.nanoTime();
            Await.until(
                    "the connections are older than those that stay anyway",
                    () -> System.nanoTime() - opened > RowComparison.LEAST_AGE);
            isFull.set(true);
            DatabaseRows.execute(URLS.get(1), "DELETE FROM keyed_sequence");
            assertThatThrownBy(() -> ids.keyed("messages").next(SECOND)).isInstanceOf(IdConfigurationException.class);
            assertThat(ids.keyed("messages").next(FIRST)).isEqualTo(2);
        }
    }
}
