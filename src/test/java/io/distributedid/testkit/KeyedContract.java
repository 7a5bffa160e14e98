package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.KeyedSequence;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What numbers per key from rows promise, on every database they know. Each test uses sequences of its own. */
public abstract class KeyedContract {

    private static final int THREADS = 8;

    private static final int NEW_KEYS = 300;

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** The URL of a database, which is empty at the first call with its name. */
    protected abstract String url(String name) throws SQLException;

    /** Tables {@code keyed_sequence} that are refused: their DDL, and a part of the message. */
    protected abstract Map<String, String> refusedTables();

    private static String newName() {
        return "keyed_" + DATABASES.incrementAndGet();
    }

    private String newUrl() throws SQLException {
        return url(newName());
    }

    private static Map<String, Object> settings(Object server) {
        return PatientSettings.of(
                Map.of("distributedid.keyed.row.server", server, "distributedid.create_tables", true));
    }

    protected static DistributedIds open(Object server) {
        return DistributedIds.create(settings(server));
    }

    /** A database whose table is there, as numbers in transactions need it. */
    protected String withTable() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = open(url)) {
            ids.keyed("creates-the-table").next(1);
        }
        return url;
    }

    @Test
    void numbersOfAKeyBeginAtOneAndAscend() throws SQLException {
        try (DistributedIds ids = open(newUrl())) {
            KeyedSequence messages = ids.keyed("messages");

            assertThat(messages.current(7)).isZero();
            assertThat(messages.next(7)).isEqualTo(1);
            assertThat(messages.next("7")).isEqualTo(2);
            assertThat(messages.next("seven")).isEqualTo(1);
            assertThat(messages.next(7, 3)).containsExactly(3, 4, 5);
            assertThat(messages.next(7, 1)).containsExactly(6);
            assertThat(messages.next("new", 10_000))
                    .hasSize(10_000)
                    .startsWith(1)
                    .endsWith(10_000);
            assertThat(messages.current("7")).isEqualTo(6);
            assertThat(ids.keyed("Messages").next(7)).as("another sequence").isEqualTo(1);
            assertThat(ids.keyed("messages")).isSameAs(messages);
        }
    }

    @Test
    void keysAreDistinctByEachCharacter() throws SQLException {
        List<String> keys = List.of(
                "a",
                "A",
                "\u00e4",
                "\u00c4",
                "\u00e5",
                "ss",
                "\u00df",
                "i",
                "\u0131",
                "I",
                "\u0130",
                "a b",
                "a\u00a0b",
                "a-b",
                "ab",
                "\ud83d\ude00",
                "\ud83d\ude01",
                "\u65e5\u672c",
                "%",
                "_",
                "'",
                "\\",
                "0",
                "00",
                "0.0",
                "-0",
                "x".repeat(149),
                "x".repeat(150),
                "\ud83d\ude00".repeat(75));
        try (DistributedIds ids = open(newUrl())) {
            for (String key : keys) {
                assertThat(ids.keyed("exact").next(key)).as(key).isEqualTo(1);
            }
        }
    }

    @Test
    void eachNumberIsGreaterThanAllThatWereGivenBeforeItsCallBegan() throws Exception {
        int keys = 3;
        CallLedger[] ledgers = ledgers(keys);
        String url = newUrl();
        try (DistributedIds first = open(url);
                DistributedIds second = open(url)) {
            KeyedSequence[] nodes = {first.keyed("messages"), second.keyed("messages")};
            Together.run(THREADS, thread -> {
                for (int i = 0; i < 300; i++) {
                    int key = ThreadLocalRandom.current().nextInt(keys);
                    long begin = System.nanoTime();
                    long number = nodes[thread % 2].next(key);
                    ledgers[key].add(new CallLedger.Call(begin, System.nanoTime(), number, "thread " + thread));
                }
                return true;
            });
        }
        assertInOrder(ledgers);
    }

    private static CallLedger[] ledgers(int keys) {
        return Stream.generate(CallLedger::new).limit(keys).toArray(CallLedger[]::new);
    }

    private static void assertInOrder(CallLedger[] ledgers) {
        for (CallLedger ledger : ledgers) {
            assertThat(ledger.size()).isPositive();
            assertThat(ledger.distinct()).isEqualTo(ledger.size());
            assertThat(ledger.disorder()).isEmpty();
        }
    }

    @Test
    void manyNewKeysFromEightThreadsGetTheNumbersOneToEight() throws Exception {
        try (DistributedIds ids = open(newUrl())) {
            KeyedSequence messages = ids.keyed("messages");
            List<long[]> taken = Together.run(
                    THREADS,
                    thread -> LongStream.range(0, NEW_KEYS).map(messages::next).toArray());

            assertEachKeyHasAll(taken);
        }
    }

    @Test
    void inTransactionsManyNewKeysFromEightThreadsGetTheNumbersOneToEightWithoutADeadlock() throws Exception {
        String url = withTable();
        try (DistributedIds ids = DistributedIds.create(Map.of())) {
            assertEachKeyHasAll(takeInTransactions(ids.keyed("invoices"), url));
        }
    }

    /** As of two tenants. The keys of the first one are known when the second one begins. */
    @Test
    void inTransactionsTheSameKeysInASecondDatabaseMakeNoDeadlock() throws Exception {
        try (DistributedIds ids = DistributedIds.create(Map.of())) {
            for (String url : List.of(withTable(), withTable())) {
                assertEachKeyHasAll(takeInTransactions(ids.keyed("invoices"), url));
            }
        }
    }

    private static List<long[]> takeInTransactions(KeyedSequence invoices, String url) throws Exception {
        return Together.run(THREADS, thread -> {
            long[] numbers = new long[NEW_KEYS];
            try (Connection connection = transaction(url)) {
                for (int key = 0; key < NEW_KEYS; key++) {
                    numbers[key] = invoices.next(key, connection);
                    connection.commit();
                }
            }
            return numbers;
        });
    }

    private static void assertEachKeyHasAll(List<long[]> taken) {
        long[] expected = LongStream.rangeClosed(1, taken.size()).toArray();
        for (int key = 0; key < NEW_KEYS; key++) {
            int place = key;
            assertThat(taken.stream()
                            .mapToLong(numbers -> numbers[place])
                            .sorted()
                            .toArray())
                    .as("key " + key)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"key_text IN ('1', '2')", "key_text NOT IN ('3') OR key_text = '1'"})
    void aDeletedKeyGoesOnAboveTheLargestDeletedNumber(String condition) throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = open(url)) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next(1, 5);
            messages.next(2, 9);
            messages.next(3, 20);
            ids.keyed("others").next(1, 7);

            delete(url, condition);

            assertThat(messages.current(1)).isZero();
            assertThat(messages.next(1)).isEqualTo(10);
            assertThat(messages.next(2)).isEqualTo(10);
            assertThat(messages.next(3)).as("a key that stays").isEqualTo(21);
            assertThat(messages.next(4)).as("a new key").isEqualTo(10);
            assertThat(ids.keyed("others").next(8)).as("another sequence").isEqualTo(1);
        }
    }

    /** As numbers-per-key.md says. Only the keys that got no number between the two statements are deleted. */
    private static void delete(String url, String condition) throws SQLException {
        DatabaseRows.execute(url, """
                UPDATE keyed_sequence SET number = GREATEST(number, (SELECT largest FROM (
                    SELECT COALESCE(MAX(number), 0) AS largest FROM keyed_sequence
                    WHERE name = 'messages' AND key_text > ' floor' AND (%s)) AS deleted))
                WHERE name = 'messages' AND key_text = ' floor'
                """.formatted(condition), """
                DELETE FROM keyed_sequence
                WHERE name = 'messages' AND key_text > ' floor' AND (%s) AND number <= (SELECT floor_number FROM (
                    SELECT MAX(number) AS floor_number FROM keyed_sequence
                    WHERE name = 'messages' AND key_text = ' floor') AS floor_row)
                """.formatted(condition));
    }

    @Test
    void keysThatAreDeletedWhileTheyAreUsedGetNoNumberTwice() throws Exception {
        int keys = 3;
        CallLedger[] ledgers = ledgers(keys);
        String url = newUrl();
        AtomicInteger deletions = new AtomicInteger();
        try (DistributedIds first = open(url);
                DistributedIds second = open(url)) {
            KeyedSequence[] nodes = {first.keyed("messages"), second.keyed("messages")};
            nodes[0].next(0);
            AtomicInteger working = new AtomicInteger(4);
            Together.run(5, thread -> {
                if (thread == 4) {
                    while (working.get() > 0) {
                        delete(url, "key_text IN ('0', '1', '2')");
                        deletions.incrementAndGet();
                    }
                    return true;
                }
                try {
                    for (int i = 0; i < 80; i++) {
                        int key = ThreadLocalRandom.current().nextInt(keys);
                        long begin = System.nanoTime();
                        long number = nodes[thread % 2].next(key);
                        ledgers[key].add(new CallLedger.Call(begin, System.nanoTime(), number, "thread " + thread));
                    }
                } finally {
                    working.decrementAndGet();
                }
                return true;
            });
        }
        assertThat(deletions.get()).isPositive();
        assertInOrder(ledgers);
    }

    @Test
    void aNumberWhoseAnswerIsLostIsNotGivenAgain() throws SQLException {
        String url = withTable();
        AtomicInteger draws = new AtomicInteger();
        SentStatements server =
                SentStatements.losingAnswers(url, sql -> isDraw(sql) && draws.incrementAndGet() % 3 == 0);
        try (DistributedIds ids = open(server)) {
            long last = 0;
            for (int i = 0; i < 20; i++) {
                long number = ids.keyed("messages").next(1);
                assertThat(number).isGreaterThan(last);
                last = number;
            }
            assertThat(last).isGreaterThan(20);
        }
    }

    /** Whether a statement changes the row of a key. */
    private static boolean isDraw(String sql) {
        return sql.contains("number + ") || sql.contains("t.number");
    }

    @Test
    void aKeyAtItsEndIsRefusedAndLeftAsItIs() throws Exception {
        String url = withTable();
        DatabaseRows.execute(
                url,
                "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', 'old', " + (Long.MAX_VALUE - 2)
                        + ")",
                "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('invoices', 'old', " + (Long.MAX_VALUE - 1)
                        + ")");
        try (DistributedIds ids = open(url);
                Connection connection = transaction(url)) {
            KeyedSequence messages = ids.keyed("messages");
            assertThat(messages.next("old")).isEqualTo(Long.MAX_VALUE - 1);
            assertThatThrownBy(() -> messages.next("old", 2))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessage("The key has too few numbers left: seq=messages key=old count=2, allowed: numbers up to"
                            + " 9223372036854775807. Use another key");
            assertThat(messages.current("old")).isEqualTo(Long.MAX_VALUE - 1);
            assertThat(messages.next("old")).isEqualTo(Long.MAX_VALUE);
            assertThatThrownBy(() -> messages.next("old")).isInstanceOf(IdsExhaustedException.class);

            KeyedSequence invoices = ids.keyed("invoices");
            assertThat(invoices.next("old", connection)).isEqualTo(Long.MAX_VALUE);
            connection.commit();
            assertThatThrownBy(() -> invoices.next("old", connection)).isInstanceOf(IdsExhaustedException.class);
            connection.rollback();
        }
        assertThat(DatabaseRows.rows(url, "SELECT number FROM keyed_sequence WHERE key_text = 'old'"))
                .containsOnly(Long.toString(Long.MAX_VALUE));
    }

    @Test
    void aRollbackGivesTheNumberBack() throws Exception {
        String url = withTable();
        try (DistributedIds ids = DistributedIds.create(Map.of());
                Connection connection = transaction(url)) {
            KeyedSequence invoices = ids.keyed("invoices");
            assertThat(invoices.next("c", connection)).isEqualTo(1);
            connection.rollback();
            assertThat(invoices.next("c", connection)).isEqualTo(1);
            assertThat(invoices.next("c", 3, connection)).containsExactly(2, 3, 4);
            connection.commit();
            assertThat(invoices.next("c", connection)).isEqualTo(5);
            connection.rollback();
            assertThat(invoices.next("c", 2, connection)).containsExactly(5, 6);
            connection.commit();
        }
    }

    private static DistributedIds openSections(String url) {
        return SectionPlace.serving(PatientSettings.of(Map.of(
                "distributedid.keyed.backend",
                "section",
                "distributedid.keyed.section.store",
                url,
                "distributedid.create_tables",
                true)));
    }

    /** A process that has read the record in the transaction that wrote it must not rely on it. */
    @Test
    void aSequenceWhoseFirstTransactionIsRolledBackMayBeginInAnotherWay() throws Exception {
        for (boolean isSection : new boolean[] {false, true}) {
            String url = withTable();
            try (DistributedIds ids = DistributedIds.create(Map.of());
                    DistributedIds other = isSection ? openSections(url) : open(url);
                    Connection connection = transaction(url)) {
                KeyedSequence invoices = ids.keyed("invoices");
                assertThat(invoices.next(7, connection)).isEqualTo(1);
                assertThat(invoices.next(8, connection)).isEqualTo(1);
                assertThat(invoices.next(7, connection)).isEqualTo(2);
                connection.rollback();
                assertThat(other.keyed("invoices").next(7, 2)).containsExactly(1, 2);

                for (int key : new int[] {7, 8}) {
                    assertThatThrownBy(() -> invoices.next(key, connection))
                            .isInstanceOf(IdConfigurationException.class)
                            .hasMessageContaining("The numbers of a sequence must all be taken in one way");
                    connection.rollback();
                }
            }
        }
    }

    @Test
    void inTransactionsATableThatLosesItsRowsGivesNoNumbers() throws Exception {
        String url = withTable();
        try (DistributedIds ids = DistributedIds.create(Map.of());
                Connection first = transaction(url);
                Connection second = transaction(url)) {
            KeyedSequence invoices = ids.keyed("invoices");
            assertThat(invoices.next(7, first)).isEqualTo(1);
            first.commit();
            assertThat(invoices.next(7, second)).isEqualTo(2);
            second.commit();
            DatabaseRows.execute(url, "TRUNCATE TABLE keyed_sequence");

            for (int key : new int[] {7, 8}) {
                assertThatThrownBy(() -> invoices.next(key, first))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("seq=invoices")
                        .hasMessageContaining("has lost its rows");
                first.rollback();
            }
        }
        assertThat(DatabaseRows.number(url, "SELECT COUNT(*) FROM keyed_sequence"))
                .isZero();
    }

    @Test
    void inTransactionsANumberOfAKnownKeyCostsOneStatement() throws Exception {
        SentStatements server = SentStatements.to(withTable());
        try (DistributedIds ids = DistributedIds.create(Map.of());
                Connection first = server.getConnection();
                Connection second = server.getConnection()) {
            KeyedSequence invoices = ids.keyed("invoices");
            for (Connection each : List.of(first, second)) {
                each.setAutoCommit(false);
                invoices.next(7, each);
                each.commit();
            }
            int before = server.sent().size();
            for (Connection each : List.of(first, second)) {
                invoices.next(7, each);
                each.commit();
            }
            assertThat(server.sent()).hasSize(before + 2);
        }
    }

    @Test
    void afterCommitsAndRollbacksOfManyThreadsNoNumberIsMissing() throws Exception {
        String url = withTable();
        AtomicInteger repeated = new AtomicInteger();
        try (DistributedIds ids = DistributedIds.create(Map.of())) {
            KeyedSequence invoices = ids.keyed("invoices");
            List<List<Long>> committed = Together.run(THREADS, thread -> {
                List<Long> numbers = new ArrayList<>();
                try (Connection connection = transaction(url)) {
                    for (int i = 0; i < 50; i++) {
                        long number = repeatable(connection, repeated, () -> invoices.next("c", connection));
                        if (i % 3 == thread % 3) {
                            connection.rollback();
                        } else {
                            connection.commit();
                            numbers.add(number);
                        }
                    }
                }
                return numbers;
            });

            List<Long> all = committed.stream().flatMap(List::stream).sorted().toList();
            assertThat(all)
                    .isEqualTo(LongStream.rangeClosed(1, all.size()).boxed().toList());
            committed.forEach(numbers -> assertThat(numbers).isSorted());
        }
    }

    @FunctionalInterface
    private interface Draw {
        long number() throws SQLException;
    }

    /** If the first transaction of a key is rolled back while others wait, MySQL may end one of them as a deadlock. */
    private static long repeatable(Connection connection, AtomicInteger repeated, Draw draw) throws SQLException {
        while (true) {
            try {
                return draw.number();
            } catch (SQLException e) {
                if (!List.of("40001", "40P01").contains(String.valueOf(e.getSQLState()))
                        || repeated.incrementAndGet() > 100) {
                    throw e;
                }
                connection.rollback();
            }
        }
    }

    @Test
    void numbersWithoutGapsNeedATransaction() throws Exception {
        String url = withTable();
        try (DistributedIds ids = DistributedIds.create(Map.of());
                Connection connection = DriverManager.getConnection(url)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ids.keyed("invoices").next(4, connection))
                    .withMessage("Numbers without gaps need a transaction: seq=invoices key=4 autoCommit=true. Call"
                            + " connection.setAutoCommit(false) first, or leave out the connection");
        }
    }

    @Test
    void aSequenceIsUsedInOneWay() throws Exception {
        String url = withTable();
        try (Connection connection = transaction(url)) {
            try (DistributedIds ids = open(url)) {
                ids.keyed("rows").next(1);
                ids.keyed("gapless").next(1, connection);
                connection.commit();
                assertOneWay(ids, connection);
            }
            // The database remembers it for other processes.
            try (DistributedIds ids = open(url)) {
                assertOneWay(ids, connection);
                assertThat(ids.keyed("rows").next(1)).isEqualTo(2);
                assertThat(ids.keyed("gapless").next(1, connection)).isEqualTo(2);
            }
            connection.rollback();
        }
    }

    private static void assertOneWay(DistributedIds ids, Connection connection) throws SQLException {
        assertThatThrownBy(() -> ids.keyed("rows").next(1, connection))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("The numbers of a sequence must all be taken in one way: seq=rows is")
                .hasMessageContaining("outside of transactions")
                .hasMessageEndingWith("Leave out the connection, or use another sequence for numbers without gaps");
        connection.rollback();
        assertThatThrownBy(() -> ids.keyed("gapless").next(1))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("The numbers of a sequence must all be taken in one way: seq=gapless is gapless")
                .hasMessageEndingWith("Take them in the transaction: next(key, connection), or use another sequence");
        assertThatThrownBy(() -> ids.keyed("gapless").current(1)).isInstanceOf(IdConfigurationException.class);
    }

    /** Its connections stay open. */
    @Test
    void aDatabaseThatLosesItsRowsWhileAProcessRunsGivesNoNumbers() throws Exception {
        String url = newUrl();
        try (DistributedIds ids = open(url)) {
            assertThat(ids.keyed("messages").next(1)).isEqualTo(1);
            assertThat(ids.keyed("orders").current(1))
                    .as("of a sequence that was never used")
                    .isZero();
            DatabaseRows.execute(
                    url,
                    "CREATE TABLE backup AS SELECT * FROM keyed_sequence",
                    "DELETE FROM keyed_sequence WHERE name = 'messages'");

            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> ids.keyed("messages").next(1))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("A sequence has no record any more: seq=messages")
                        .hasMessageContaining("has lost its rows");
                assertThatThrownBy(() -> ids.keyed("messages").current(1))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("has lost its rows");
            }
            assertThat(DatabaseRows.number(url, "SELECT COUNT(*) FROM keyed_sequence WHERE name = 'messages'"))
                    .isZero();
            assertThat(ids.keyed("orders").next(1)).isEqualTo(1);

            DatabaseRows.execute(url, "INSERT INTO keyed_sequence SELECT * FROM backup WHERE name = 'messages'");
            assertThat(ids.keyed("messages").next(1))
                    .as("once the rows are back")
                    .isEqualTo(2);
        }
    }

    /** Its connections stay open, and another process begins the sequence anew. */
    @Test
    void aTableThatWasEmptiedAndBegunAnewGivesNoNumbersToAProcessThatRuns() throws Exception {
        String url = newUrl();
        try (DistributedIds ids = open(url);
                DistributedIds others = open(url);
                Connection first = transaction(url);
                Connection second = transaction(url)) {
            assertThat(ids.keyed("messages").next(1, 3)).endsWith(3);
            for (Connection each : List.of(first, second)) {
                ids.keyed("invoices").next(1, each);
                each.commit();
            }
            DatabaseRows.execute(url, "TRUNCATE TABLE keyed_sequence");
            assertThat(others.keyed("messages").next(2)).isEqualTo(1);
            assertThat(others.keyed("invoices").next(2, first)).isEqualTo(1);
            first.commit();

            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("has another record than before");
            assertThatThrownBy(() -> ids.keyed("invoices").next(1, first))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A sequence has another record than before");
            first.rollback();
            assertThat(others.keyed("messages").next(1)).isEqualTo(1);
        }
        assertThat(DatabaseRows.number(url, "SELECT COUNT(*) FROM keyed_sequence WHERE key_text = '1'"))
                .isEqualTo(1);
    }

    @Test
    void aMissingTableIsRefusedWithItsStatement() throws Exception {
        String url = newUrl();
        try (DistributedIds ids =
                        DistributedIds.create(PatientSettings.of(Map.of("distributedid.keyed.row.server", url)));
                Connection connection = transaction(url)) {
            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The table of numbers per key is missing: table=keyed_sequence on ")
                    .hasMessageContaining("Create it: CREATE TABLE IF NOT EXISTS keyed_sequence (name ");
            assertThatThrownBy(() -> ids.keyed("invoices").next(1, connection))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The table of numbers per key is missing: table=keyed_sequence. Create it:"
                            + " CREATE TABLE IF NOT EXISTS keyed_sequence (name ");
            connection.rollback();
        }
    }

    @Test
    void aTableThatCouldGiveANumberTwiceIsRefused() throws SQLException {
        for (Map.Entry<String, String> table : refusedTables().entrySet()) {
            String url = newUrl();
            DatabaseRows.execute(url, table.getKey());
            try (DistributedIds ids = open(url)) {
                assertThatThrownBy(() -> ids.keyed("messages").next(1))
                        .as(table.getKey())
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("table=keyed_sequence on ")
                        .hasMessageContaining(table.getValue());
            }
        }
    }

    @Test
    void theApplicationsDatabaseHoldsTheRowsIfNoServerIsSet() throws SQLException {
        String url = newUrl();
        ConnectionAccess own = new ConnectionAccess() {

            @Override
            public Connection obtain() throws SQLException {
                return DriverManager.getConnection(url);
            }

            @Override
            public String label() {
                return "the application's database";
            }
        };
        try (DistributedIds ids = DistributedIds.builder()
                .settings(PatientSettings.of(Map.of("distributedid.create_tables", true)))
                .applicationDatabase(own)
                .build()) {
            assertThat(ids.keyed("messages").next(1, 2)).containsExactly(1, 2);
        }
        assertThat(DatabaseRows.rows(
                        url,
                        "SELECT key_text, number FROM keyed_sequence WHERE key_text > ' @record' ORDER BY key_text"))
                .containsExactly(" floor 0", "1 2");
    }

    private static Connection transaction(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }
}
