package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PlainDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process may lease only a range of the numbers, or only the configured one. */
class LeasedNumbersTest {

    private static final String URL = "jdbc:h2:mem:numbers;DB_CLOSE_DELAY=-1";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("numbers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "single_use"})
    void onlyNumbersOfTheRangeAreLeased(String worker) {
        Map<String, String> range = Map.of("worker", worker, "lease.numbers", "100-101");
        try (DistributedIds first = open(range);
                DistributedIds second = open(Map.of("worker", worker, "lease.numbers", "100 - 101"));
                DistributedIds third =
                        open(Map.of("worker", worker, "lease.numbers", "100-101", "lease.wait", "0ms"))) {
            assertThat(worker(first)).isEqualTo(100);
            assertThat(worker(second)).isEqualTo(101);
            assertThatThrownBy(() -> worker(third))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("All worker numbers are ")
                    .hasMessageContaining(": 100 to 101 of distributedid on jdbc:h2:mem:numbers");
        }
    }

    @ParameterizedTest
    @CsvSource({"100", "101-100", "100-1024", "-1-5", "a-b", "1-2-3"})
    void aRangeThatDoesNotFitIsRefused(String range) {
        try (DistributedIds ids = open(Map.of("worker", "lease", "lease.numbers", range))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid.snowflake.lease.numbers="
                            + range + ", allowed: the lowest and the highest number of 0 to 1023, as in 100-1023");
        }
    }

    @Test
    void theCheckSaysWhenAStoreThatHasLostNumbersOpensAgain() throws SQLException {
        try (DistributedIds ids = open(Map.of("worker", "lease"))) {
            ids.next("photos");
            DatabaseRows.execute(
                    URL, "UPDATE distributedid SET text = text || ' lost=4102444800000' WHERE name = '@store'");

            assertThat(ids.admin().check("photos"))
                    .filteredOn(result -> result.status() == CheckResult.Status.FAILED)
                    .extracting(CheckResult::detail)
                    .singleElement()
                    .asString()
                    .startsWith("The store has lost leases at 2100-01-01T00:00:00Z or before, and their owners may"
                            + " still use them: distributedid on jdbc:h2:mem:numbers.")
                    .containsPattern("Leases are given again in [0-9]+ s\\. See https://.*/on-call\\.md#store-lost$");
        }
    }

    @Test
    void aFixedNumberBesideAStoreIsLeasedSoThatASecondProcessWithItIsRefused() {
        try (DistributedIds first = open(Map.of("worker", "7"));
                DistributedIds second = open(Map.of("worker", "7", "lease.wait", "100ms"))) {
            assertThat(worker(first)).isEqualTo(7);

            assertThatThrownBy(() -> worker(second))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith(
                            "The worker number is taken: 7 of distributedid on jdbc:h2:mem:numbers. Stop its"
                                    + " owner, or give this process another number (distributedid.snowflake.worker)."
                                    + " @worker/7 by ")
                    .hasMessageContaining(" pid " + ProcessHandle.current().pid() + " since ");
        }
    }

    @Test
    void aFixedNumberWaitsUntilItsFormerOwnerHasStopped() {
        DistributedIds first = open(Map.of("worker", "7"));
        long last = first.next("photos");
        first.close();

        try (DistributedIds next = open(Map.of("worker", "7"))) {
            assertThat(next.next("photos")).isGreaterThan(last);
        }
    }

    /** The row is written, and the connection breaks before the answer. */
    @Test
    void aStartThatIsRepeatedFindsTheNumberThatItWasGiven() {
        AtomicBoolean answers = new AtomicBoolean();
        Map<String, Object> settings = new HashMap<>(Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "7",
                "distributedid.snowflake.lease.server", new LosingAnswers(answers),
                "distributedid.create_tables", "true",
                "distributedid.snowflake.lease.wait", "0ms",
                "distributedid.block.timeout", "60s"));
        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThat(worker(ids)).isEqualTo(7);

            assertThat(answers).as("an answer was lost").isTrue();
        }
    }

    /** The answer to the first claim does not arrive. */
    private static final class LosingAnswers extends PlainDataSource {

        private final AtomicBoolean answers;

        private volatile boolean isClaim;

        LosingAnswers(AtomicBoolean answers) {
            this.answers = answers;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return proxy(Connection.class, DriverManager.getConnection(URL));
        }

        private <T> T proxy(Class<T> type, Object target) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                        Object result;
                        try {
                            result = method.invoke(target, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                        if (method.getName().equals("prepareStatement")) {
                            return proxy(PreparedStatement.class, result);
                        }
                        if (method.getName().equals("setString")) {
                            isClaim |= arguments[1].toString().startsWith("owner=");
                        }
                        if (method.getName().equals("executeUpdate") && isClaim && !answers.getAndSet(true)) {
                            throw new SQLException("connection reset", "08006");
                        }
                        return result;
                    }));
        }
    }

    @Test
    void theFirstIdsOfAFixedNumberLieAboveWhatAProcessThatDidNotLeaseItCanHaveUsed() {
        Instant before = Instant.now();
        try (DistributedIds ids = open(Map.of("worker", "7", "max_ahead", "1ms"))) {
            assertThat(ids.decode("photos", ids.next("photos")).time().orElseThrow())
                    .isAfter(before.plusMillis(100));
        }
    }

    @Test
    void whoLeasesAnyNumberLeavesOutFixedOnesThatAreLeased() {
        try (DistributedIds fixed = open(Map.of("worker", "0"));
                DistributedIds any = open(Map.of("worker", "lease"))) {
            assertThat(worker(fixed)).isZero();
            assertThat(worker(any)).isEqualTo(1);
        }
    }

    @Test
    void theCheckSaysWhoHasAFixedNumber() {
        try (DistributedIds first = open(Map.of("worker", "7"))) {
            assertThat(detail(first))
                    .startsWith("The ledger beside the ids is missing")
                    .endsWith("or the first client: distributedid.create_tables=true. If a migration"
                            + " creates it after the start, set distributedid.open=lazy");
            try (DistributedIds other = open(Map.of("worker", "8"))) {
                other.next("photos");
                assertThat(detail(first)).isEqualTo("0 of 1 numbers are taken");
            }
            first.next("photos");

            assertThat(detail(first))
                    .startsWith("The worker number is taken: 7 of distributedid on jdbc:h2:mem:numbers. ")
                    .contains("@worker/7 by ", " until 20");
        }
    }

    private static String detail(DistributedIds ids) {
        List<CheckResult> results = ids.admin().check("photos");
        return results.stream()
                .filter(result -> result.what().equals("leases") || result.status() == CheckResult.Status.FAILED)
                .findFirst()
                .orElseThrow()
                .detail();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            state_file    | /tmp/id  | nothing beside a leased worker number: its store remembers the time that is used up
            lease.numbers | 100-1023 | nothing beside a fixed number; lease takes one of the range: distributedid.snowflake.worker=lease
            worker        | 1024     | a number from 0 to 1023
            """)
    void whatDoesNotGoWithAFixedNumberThatIsLeasedIsRefused(String name, String value, String allowed) {
        Map<String, String> settings = new HashMap<>(Map.of("worker", "7"));
        settings.put(name, value);
        try (DistributedIds ids = open(settings)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid.snowflake." + name + "="
                            + value + ", allowed: " + allowed);
        }
    }

    /** The rehearsal of a rolling deployment: see snowflake.md. */
    @Test
    void processesWithFixedNumbersAreReplacedByLeasingOnesWhileAllDrawIds() throws Exception {
        try (DrawnIds drawn = new DrawnIds("photos")) {
            for (int number = 0; number < 3; number++) {
                drawn.start(DistributedIds.create(
                        Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "" + number)));
            }
            drawn.await(20_000);
            List<DistributedIds> ranged = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ranged.add(open(Map.of("worker", "lease", "lease.numbers", "3-1023")));
                drawn.start(ranged.get(i));
                drawn.await(20_000);
                drawn.stopOldest();
            }
            for (int i = 0; i < 3; i++) {
                DistributedIds any = open(Map.of("worker", "lease"));
                drawn.start(any);
                assertThat(worker(any)).isEqualTo(i);
                drawn.await(20_000);
                drawn.stopOldest();
            }
            drawn.stopAll();
            assertThat(drawn.failures()).isEmpty();
            assertThat(drawn.twice()).isZero();
            assertThat(drawn.workers()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        }
    }

    private static long worker(DistributedIds ids) {
        return ids.decode("photos", ids.next("photos")).field("worker");
    }

    private static DistributedIds open(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.lease.server",
                URL,
                "distributedid.create_tables",
                "true"));
        more.forEach((name, value) -> settings.put("distributedid.snowflake." + name, value));
        return DistributedIds.create(settings);
    }
}
