package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.KeyedSequence;
import io.distributedid.internal.jdbc.PlainDataSource;
import io.distributedid.internal.keyed.section.SectionSpread;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What numbers per key from memory promise, on every database that stores their sections. */
public abstract class SectionsContract {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final int KEYS = 5;

    private static final String SECTIONS = "distributedid.keyed.section.sections";

    private static final String LEASE = "distributedid.keyed.section.lease";

    @TempDir
    Path folder;

    /** The URL of a database, which is empty at the first call with its name. */
    protected abstract String url(String name) throws SQLException;

    private String newUrl() throws SQLException {
        return url("sections_" + DATABASES.incrementAndGet());
    }

    /** A lease that does not end during a test, unless the test gives one. */
    private static Map<String, Object> settings(Object store, String address, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.keyed.backend", "section");
        settings.put("distributedid.keyed.section.store", store);
        settings.put("distributedid.keyed.section.create_table", "true");
        settings.put("distributedid.keyed.section.address", address);
        settings.put(LEASE, "1m");
        settings.put("distributedid.keyed.section.timeout", "25s");
        settings.put(SECTIONS, "8");
        settings.put("distributedid.block.timeout", "45s");
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i].toString(), more[i + 1]);
        }
        return settings;
    }

    private static DistributedIds open(Object store, String address, Object... more) {
        return DistributedIds.create(settings(store, address, more));
    }

    /** As a router would: asks the process that the wrong one names. */
    private static long take(List<KeyedSequence> members, long key) {
        for (int i = 0; ; i++) {
            try {
                return members.get(i % members.size()).next(key);
            } catch (IdStandbyException e) {
                Thread.onSpinWait();
            }
        }
    }

    /** A process takes part from its first call. */
    private static void begin(KeyedSequence member) {
        try {
            member.next(0);
        } catch (IdStandbyException e) {
            assertThat(e.active()).isNotEmpty();
        }
    }

    private static long owned(String url, String address) throws SQLException {
        return DatabaseRows.number(
                url, "SELECT COUNT(*) FROM keyed_section WHERE section >= 0 AND owner = '" + address + "'");
    }

    private static void awaitOwned(String url, String address, long least) {
        Await.until(
                address + " owns " + least + " sections",
                () -> owned(url, address) >= least,
                () -> DatabaseRows.rows(url, "SELECT section, owner FROM keyed_section ORDER BY section"));
    }

    @Test
    void numbersOfAKeyBeginAtOneAndAscend() throws SQLException {
        try (DistributedIds ids = open(newUrl(), "a")) {
            KeyedSequence messages = ids.keyed("messages");

            assertThat(messages.current(7)).isZero();
            assertThat(messages.next(7)).isEqualTo(1);
            assertThat(messages.next("7")).isEqualTo(2);
            assertThat(messages.next("seven")).isEqualTo(1);
            assertThat(messages.next("07")).as("a text").isEqualTo(1);
            assertThat(messages.next(7, 3)).containsExactly(3, 4, 5);
            assertThat(messages.current("7")).isEqualTo(5);
            assertThat(messages.next(Long.MAX_VALUE)).isEqualTo(1);
            assertThat(messages.next("9223372036854775807")).isEqualTo(2);
            assertThat(messages.next("9223372036854775808")).as("a text").isEqualTo(1);
            assertThat(ids.keyed("Messages").next(7)).as("another sequence").isEqualTo(1);
        }
    }

    @Test
    void aKeyMayHaveMoreNumbersThanAStep() throws SQLException {
        try (DistributedIds ids = open(newUrl(), "a")) {
            KeyedSequence messages = ids.keyed("messages");
            for (int i = 1; i <= 5; i++) {
                assertThat(messages.next(7, 10_000)).endsWith(10_000L * i);
            }
            for (int i = 1; i <= 15_000; i++) {
                assertThat(messages.next(7)).isEqualTo(50_000 + i);
            }
        }
    }

    @Test
    void afterACleanStopAnotherProcessGoesOnAboveWithoutAWait() throws SQLException {
        String url = newUrl();
        try (DistributedIds first = open(url, "a")) {
            assertThat(first.keyed("messages").next(7, 100)).endsWith(100);
        }
        assertThat(owned(url, "")).isEqualTo(8);
        try (DistributedIds second = open(url, "b")) {
            KeyedSequence messages = second.keyed("messages");
            assertThat(messages.current(7)).as("an upper bound").isGreaterThanOrEqualTo(100);
            assertThat(messages.next(7)).isGreaterThan(100).isLessThanOrEqualTo(10_001);
            assertThat(messages.next(8)).as("all keys of a section jump").isGreaterThan(1);
        }
    }

    /** Without the hand-over, the second process would wait for a minute, and fail. */
    @Test
    void aThousandSectionsAreHandedOverAndClaimed() throws SQLException {
        String url = newUrl();
        for (String address : List.of("a", "b")) {
            try (DistributedIds ids = open(url, address, SECTIONS, "1000")) {
                KeyedSequence messages = ids.keyed("messages");
                for (int i = 0; i < 1_000; i++) {
                    assertThat(messages.next(i * 1024L)).isPositive();
                }
                assertThat(owned(url, address)).isEqualTo(1_000);
            }
            assertThat(owned(url, "")).isEqualTo(1_000);
        }
    }

    @Test
    void theWrongProcessNamesTheRightOne() throws SQLException {
        String url = newUrl();
        Set<String> both = Set.of("http://a:8080", "http://b:8080");
        // The section does not move to the other one.
        String right = SectionSpread.owner(0, both);
        String wrong =
                both.stream().filter(each -> !each.equals(right)).findFirst().orElseThrow();
        try (DistributedIds first = open(url, right, SECTIONS, "1");
                DistributedIds second = open(url, wrong, SECTIONS, "1")) {
            first.keyed("messages").next(7);

            assertThatThrownBy(() -> second.keyed("messages").next(7))
                    .isInstanceOfSatisfying(
                            IdStandbyException.class,
                            e -> assertThat(e.active()).isEqualTo(right))
                    .hasMessageContaining("seq=messages key=7 section=0 owner=" + right);
        }
    }

    @Test
    void numbersAscendWhileProcessesComeAndGo() throws Exception {
        String url = newUrl();
        AtomicBoolean isOver = new AtomicBoolean();
        CallLedger[] ledgers = ledgers();
        try (DistributedIds first = open(url, "a");
                DistributedIds second = open(url, "b")) {
            List<KeyedSequence> members = List.of(first.keyed("messages"), second.keyed("messages"));
            members.forEach(SectionsContract::begin);
            Together.run(3, thread -> {
                if (thread == 0) {
                    for (int i = 0; i < 2; i++) {
                        comeAndGo(url, "c" + i);
                    }
                    isOver.set(true);
                    return true;
                }
                while (!isOver.get()) {
                    ask(members, ledgers, "thread " + thread);
                }
                return true;
            });
        }
        assertInOrder(ledgers);
    }

    private static void comeAndGo(String url, String address) throws Exception {
        awaitShared(url, "a", "b");
        try (DistributedIds ids = open(url, address)) {
            begin(ids.keyed("messages"));
            awaitShared(url, "a", "b", address);
        }
        assertThat(owned(url, address)).isZero();
    }

    /** Until none has a section that another one is to own. */
    private static void awaitShared(String url, String... addresses) throws SQLException {
        Await.until(
                "all own their sections",
                () -> {
                    for (int section = 0; section < 8; section++) {
                        String owner = SectionSpread.owner(section, Set.of(addresses));
                        if (DatabaseRows.number(
                                        url,
                                        "SELECT COUNT(*) FROM keyed_section WHERE section = " + section
                                                + " AND owner = '" + owner + "'")
                                == 0) {
                            return false;
                        }
                    }
                    return true;
                },
                () -> DatabaseRows.rows(url, "SELECT section, owner FROM keyed_section ORDER BY section"));
    }

    private static CallLedger[] ledgers() {
        return Stream.generate(CallLedger::new).limit(KEYS).toArray(CallLedger[]::new);
    }

    /** Keys 1024 apart are in different sections. */
    private static void ask(List<KeyedSequence> members, CallLedger[] ledgers, String maker) {
        int key = ThreadLocalRandom.current().nextInt(KEYS);
        long begin = System.nanoTime();
        long number = take(members, key * 1024L);
        ledgers[key].add(new CallLedger.Call(begin, System.nanoTime(), number, maker));
    }

    private static void assertInOrder(CallLedger[] ledgers) {
        for (CallLedger ledger : ledgers) {
            assertThat(ledger.size()).isPositive();
            assertThat(ledger.distinct()).isEqualTo(ledger.size());
            assertThat(ledger.disorder()).isEmpty();
        }
    }

    @Test
    void confirmedNumbersAscendWhileProcessesComeAndGo() throws Exception {
        String url = newUrl();
        CallLedger[] ledgers = ledgers();
        Object[] confirmed = {"distributedid.keyed.section.order", "confirmed"};
        try (DistributedIds first = open(url, "a", confirmed)) {
            try (DistributedIds second = open(url, "b", confirmed)) {
                List<KeyedSequence> members = List.of(first.keyed("messages"), second.keyed("messages"));
                members.forEach(SectionsContract::begin);
                askAll(members, ledgers);
            }
            askAll(List.of(first.keyed("messages")), ledgers);
        }
        assertInOrder(ledgers);
    }

    private static void askAll(List<KeyedSequence> members, CallLedger[] ledgers) throws Exception {
        Together.run(4, thread -> {
            for (int i = 0; i < 50; i++) {
                ask(members, ledgers, "thread " + thread);
            }
            return true;
        });
    }

    @Test
    void afterAKillAnotherProcessTakesOver() throws Exception {
        String url = newUrl();
        CallLedger[] ledgers = ledgers();
        try (KeyedNode node = KeyedNode.start(folder, shortLease(url, "a"), "messages", KEYS);
                DistributedIds ids = open(url, "b", LEASE, "1s", "distributedid.keyed.section.timeout", "500ms")) {
            node.awaitCalls(100);
            node.kill();
            node.addTo(ledgers);
            askSmall(ids.keyed("messages"), ledgers);
        }
        assertInOrder(ledgers);
    }

    private static Map<String, Object> shortLease(String url, String address) {
        return settings(url, address, LEASE, "1s", "distributedid.keyed.section.timeout", "500ms");
    }

    /** The keys of {@link KeyedNode}. */
    private static void askSmall(KeyedSequence messages, CallLedger[] ledgers) {
        for (int key = 0; key < KEYS; key++) {
            long begin = System.nanoTime();
            long number = take(List.of(messages), key);
            ledgers[key].add(new CallLedger.Call(begin, System.nanoTime(), number, "after it"));
        }
    }

    @Test
    void aProcessThatWasHaltedForTwoLeasesGivesNoNumberOfItsFormerSections() throws Exception {
        String url = newUrl();
        CallLedger[] ledgers = ledgers();
        try (KeyedNode node = KeyedNode.start(folder, shortLease(url, "a"), "messages", KEYS);
                DistributedIds ids = open(url, "b", LEASE, "1s", "distributedid.keyed.section.timeout", "500ms")) {
            node.awaitCalls(100);
            node.signal("STOP");
            askSmall(ids.keyed("messages"), ledgers);
            Thread.sleep(2_000);
            node.signal("CONT");
            for (int i = 0; i < 50; i++) {
                askSmall(ids.keyed("messages"), ledgers);
            }
            node.kill();
            node.addTo(ledgers);
        }
        assertInOrder(ledgers);
    }

    @Test
    void whenMemoryIsUsedUpKeysAreForgottenAndTheirNumbersGoOnAbove() throws SQLException {
        try (DistributedIds ids =
                open(newUrl(), "a", "distributedid.keyed.section.memory", Long.toString(1 << 20), SECTIONS, "4")) {
            KeyedSequence messages = ids.keyed("messages");
            long last = messages.next(7);
            boolean jumped = false;
            for (int i = 0; i < 300_000; i++) {
                messages.next("key " + i);
                if (i % 1000 == 0) {
                    long number = messages.next(7);
                    assertThat(number).isGreaterThan(last);
                    jumped |= number > last + 1;
                    last = number;
                }
            }
            assertThat(jumped).isTrue();
        }
    }

    /** The way to a server, which can be cut. H2 ignores {@link Connection#abort}, so connections are closed. */
    private static final class Route extends PlainDataSource {

        private final Set<Connection> lent = ConcurrentHashMap.newKeySet();

        private final String url;

        private volatile boolean isCut;

        Route(String url) {
            this.url = url;
        }

        void cut() throws SQLException {
            isCut = true;
            for (Connection each : lent) {
                each.close();
            }
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (isCut) {
                throw new SQLNonTransientConnectionException("No route to the server", "08001");
            }
            Connection connection = DriverManager.getConnection(url);
            lent.add(connection);
            return connection;
        }
    }

    @Test
    void whileTheStoreIsAwayNumbersEndWithTheLeaseAndGoOnOnceItIsBack() throws Exception {
        String url = newUrl();
        Route store = new Route(url);
        try (DistributedIds ids = open(
                store,
                "a",
                LEASE,
                "1s",
                "distributedid.keyed.section.timeout",
                "500ms",
                "distributedid.block.timeout",
                "1500ms")) {
            KeyedSequence messages = ids.keyed("messages");
            long before = messages.next(7);
            store.cut();
            assertThatThrownBy(() -> {
                        while (messages.next(7) > 0) {
                            Thread.onSpinWait();
                        }
                    })
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("No number can be issued: seq=messages key=7,")
                    .hasMessageContaining("No route to the server");
            store.isCut = false;
            Await.until("it goes on", () -> {
                try {
                    return messages.next(7) > before;
                } catch (IdUnavailableException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void aStoreThatWasSetBackIsNoticed() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = open(url, "a", SECTIONS, "1")) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next(7, 10_000);
            messages.next(7);
            DatabaseRows.execute(url, "UPDATE keyed_section SET max_number = 5000, token = 'old' WHERE section = 0");

            Await.until("it is noticed", () -> {
                try {
                    return messages.next(7) < 0;
                } catch (IdUnavailableException e) {
                    assertThat(e)
                            .hasMessageContaining("The store was set back, and numbers could be given twice:"
                                    + " max_number=5000, it was ");
                    return true;
                }
            });
            DatabaseRows.execute(url, "UPDATE keyed_section SET owner = '', max_number = 1000000 WHERE section = 0");
            Await.until("it goes on", () -> {
                try {
                    return messages.next(7) > 1_000_000;
                } catch (IdUnavailableException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void anEmptiedStoreGivesNoNumbers() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = open(url, "a")) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next(7);
            DatabaseRows.execute(url, "DELETE FROM keyed_section");

            Await.until("it is noticed", () -> {
                try {
                    return messages.next(7) < 0;
                } catch (IdConfigurationException e) {
                    assertThat(e).hasMessageContaining("The store of a sequence has lost rows: the record is missing");
                    return true;
                }
            });
        }
    }

    @Test
    void refusesAnotherNumberOfSections() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = open(url, "a")) {
            ids.keyed("messages").next(7);
        }
        try (DistributedIds ids = open(url, "a", SECTIONS, "9")) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The number of sections must not change, since keys would begin at 1 again:"
                            + " seq=messages,")
                    .hasMessageContaining("is recorded with 8, but distributedid.keyed.section.sections=9."
                            + " Set it to 8, or use another sequence");
        }
    }

    @Test
    void refusesNumbersInTransactions() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = open(url, "a");
                Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> ids.keyed("messages").next(7, connection))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("distributedid.keyed.backend=section")
                    .hasMessageContaining("Leave out the connection, or use another sequence");
        }
    }

    @Test
    void refusesASequenceThatCountsByRows() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = DistributedIds.create(
                Map.of("distributedid.keyed.row.servers", url, "distributedid.keyed.row.create_table", "true"))) {
            ids.keyed("messages").next(7);
        }
        try (DistributedIds ids = open(url, "a")) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("seq=messages has rows of keys already, table=keyed_sequence."
                            + " Set distributedid.keyed.backend=row, or use another sequence");
            assertThat(ids.keyed("others").next(7)).isEqualTo(1);
        }
    }

    @Test
    void aSuspendedProcessGivesNoNumbersAndGoesOnAboveThem() throws SQLException {
        try (DistributedIds ids = open(newUrl(), "a", LEASE, "1s", "distributedid.keyed.section.timeout", "500ms")) {
            KeyedSequence messages = ids.keyed("messages");
            long before = messages.next(7, 10)[9];
            ids.suspend();
            ids.resume();
            assertThat(messages.next(7)).isGreaterThan(before);
        }
    }
}
