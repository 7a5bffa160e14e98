package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.distributedid.CheckResult;
import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.TenureStatistics;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code snowflake.worker=exclusive}, on H2. */
class StrictSequencesTest {

    private static final String URL = "jdbc:h2:mem:strict;DB_CLOSE_DELAY=-1";

    private static final String STRICT = "time(ms):41, sequence:22 from 2024-01-01T00:00:00Z";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("strict");
    }

    private static Map<String, String> settings(String... more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "exclusive",
                "distributedid.snowflake.layout", "strict",
                "distributedid.snowflake.lease.server", URL,
                "distributedid.create_tables", "true"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(Setting.PREFIX + more[i], more[i + 1]);
        }
        return settings;
    }

    private static DistributedIds open(String... more) {
        return DistributedIds.create(settings(more));
    }

    private static DistributedIds open(InstantSource clock, String... more) {
        return DistributedIds.builder().settings(settings(more)).clock(clock).build();
    }

    private static TenureStatistics tenure(DistributedIds ids) {
        return ids.statistics("orders").orElseThrow().tenure().orElseThrow();
    }

    @Test
    void oneProcessIsActiveAndAnotherStandsByAndTakesOver() {
        try (DistributedIds standby = open("snowflake.lease.owner", "http://ids2:8080")) {
            long last;
            try (DistributedIds active = open("snowflake.lease.owner", "http://ids1:8080")) {
                last = active.next("orders");
                assertThat(active.next("orders")).isGreaterThan(last);
                assertThatThrownBy(() -> standby.next("orders"))
                        .isInstanceOf(IdStandbyException.class)
                        .hasMessage("This process is on standby, and another process gives the ids:"
                                + " active=http://ids1:8080, distributedid on jdbc:h2:mem:strict. Ask that process; if"
                                + " it stops, this one takes over" + Pages.onCall("standby"));
                assertThat(standby.sequence("orders").tryNext()).isZero();
                last = active.sequence("orders").tryNext();
                assertThat(last).isPositive();

                assertThat(tenure(active).isActive()).isTrue();
                assertThat(tenure(active).left().orElseThrow()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(5));
                assertThat(tenure(standby))
                        .satisfies(now -> assertThat(now.isActive()).isFalse())
                        .satisfies(now -> assertThat(now.active()).contains("http://ids1:8080"))
                        .satisfies(now -> assertThat(now.takeovers()).isZero());
                assertHealth(active, IdHealth.Status.UP, "");
                assertHealth(standby, IdHealth.Status.UP, "standby, active is http://ids1:8080");
                assertThat(standby.health("orders").orElseThrow().details().get("tenure"))
                        .isEqualTo(Map.of("role", "standby", "active", "http://ids1:8080", "takeovers", 0L));
            }
            Await.until("it takes over", () -> tenure(standby).isActive(), () -> tenure(standby));

            assertThat(standby.next("orders")).isGreaterThan(last);
            assertThat(tenure(standby).takeovers()).isEqualTo(1);
        }
    }

    /** Ids of a successor lie above it too: the active process has reserved the time before it answers. */
    @Test
    void onlyTheActiveProcessRaises() {
        try (DistributedIds active = open("snowflake.lease.owner", "http://ids1:8080");
                DistributedIds standby = open("snowflake.lease.owner", "http://ids2:8080")) {
            active.next("orders");
            long existing = active.time("orders").ceiling(Instant.now().plusSeconds(9));
            assertThatThrownBy(() -> standby.admin().raise("orders", existing))
                    .isInstanceOf(IdStandbyException.class)
                    .hasMessageStartingWith(
                            "This process is on standby, and another process gives the ids: active=http://ids1:8080");

            active.admin().raise("orders", existing);

            assertThat(active.next("orders")).isGreaterThan(existing);
            active.suspend();
            Await.until("it takes over", () -> tenure(standby).isActive(), () -> tenure(standby));
            assertThat(standby.next("orders")).isGreaterThan(existing);
        }
    }

    private static void assertHealth(DistributedIds ids, IdHealth.Status status, String reason) {
        assertHealth(ids, "orders", status, reason);
    }

    private static void assertHealth(DistributedIds ids, String sequence, IdHealth.Status status, String reason) {
        SequenceHealth health = ids.health(sequence).orElseThrow();
        assertThat(health.status()).isEqualTo(status);
        assertThat(health.reason()).isEqualTo(reason);
    }

    @Test
    void aProcessThatStartsAgainAfterACleanStopIsActiveAtOnce() {
        long last;
        try (DistributedIds ids = open()) {
            last = ids.next("orders");
        }
        try (DistributedIds ids = open()) {
            assertThat(ids.next("orders")).isGreaterThan(last);
        }
    }

    @Test
    void aClockThatIsBehindThatOfTheProcessBeforeIsNoObstacle() {
        long last;
        try (DistributedIds ids = open(() -> Instant.now().plusSeconds(12))) {
            last = ids.next("orders");
        }
        try (DistributedIds ids = open(() -> Instant.now().minusSeconds(12))) {
            assertThat(ids.next("orders")).isGreaterThan(last);
            for (int i = 0; i < 1_000; i++) {
                assertThat(ids.next("orders")).isPositive();
            }
        }
    }

    /** The clocks of the store and of all processes were ten minutes ahead, and are right again. */
    @Test
    @Timeout(300)
    void idsFarAheadOfTheStoresClockAreAnErrorAndTheHealthIsDown() throws SQLException {
        try (DistributedIds ids = open()) {
            ids.next("orders");
        }
        DatabaseRows.execute(URL, "UPDATE distributedid SET number = number + 600000 WHERE name = '@strict'");
        try (DistributedIds ids = open()) {
            String message = "The next id would be \\d{6} ms too far ahead of the store's clock, so ids continue at"
                    + " .*Z\\. Either clocks were set back, or more ids were asked for than the layout has room for\\."
                    + " Check the store's clock\\. Layout: time\\(ms\\):41, sequence:22 .*"
                    + Pattern.quote(Pages.onCall("store-clock"));
            assertThatThrownBy(() -> ids.next("orders"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageMatching(message);
            SequenceHealth health = ids.health("orders").orElseThrow();
            assertThat(health.status()).isEqualTo(IdHealth.Status.DOWN);
            assertThat(health.reason()).matches(message);
            assertThat(tenure(ids).isActive()).isTrue();
        }
        // A clean stop keeps the bound.
        try (DistributedIds ids = open()) {
            assertThatThrownBy(() -> ids.next("orders")).hasMessageContaining(" too far ahead of the store's clock");
        }
    }

    @Test
    void aClockFarFromTheStoresGivesNoIds() {
        try (DistributedIds ids =
                open(() -> Instant.now().plusSeconds(60), "snowflake.lease.duration", "1s", "block.timeout", "1s")) {
            // A connection may take longer than this lease allows.
            Await.until("the clock was compared with the store's", () -> {
                try {
                    return fail("There is an id: " + ids.next("orders"));
                } catch (IdUnavailableException e) {
                    return e.getMessage().startsWith("The local clock must be near the store's: clock=");
                }
            });
            assertThat(ids.health("orders").orElseThrow().status()).isEqualTo(IdHealth.Status.DOWN);
        }
    }

    @Test
    void sequencesOfOnePlaceHaveOneActiveProcess() {
        try (DistributedIds first = open();
                DistributedIds second = open()) {
            first.next("orders");
            assertThatThrownBy(() -> second.next("users")).isInstanceOf(IdStandbyException.class);
            assertThat(first.next("users")).isPositive();
        }
        try (DistributedIds first = open();
                DistributedIds second = open("snowflake.lease.table", "other_leases")) {
            assertThat(first.next("orders")).isPositive();
            assertThat(second.next("invoices")).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "snowflake.lease.duration, 9s",
        "timeout, 1s",
        "snowflake.lease.max_clock_skew, 1s",
        "snowflake.lease.owner, ids1",
        "snowflake.lease.user, sa",
        "create_tables, false"
    })
    void sequencesOfOnePlaceMustHaveTheSameLeaseSettings(String name, String value) {
        try (DistributedIds ids = open("seq.users." + name, value)) {
            ids.next("orders");

            assertThatThrownBy(() -> ids.next("users"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("Sequences that share the store of the active process must have the same lease"
                            + " settings: users has another distributedid." + name
                            + " than orders. Set the same value for both");
            assertThat(ids.next("orders")).isPositive();
            assertHealth(
                    ids,
                    "users",
                    IdHealth.Status.DOWN,
                    "the sequence could not be opened: Sequences that share the store of the active process must have"
                            + " the same lease settings: users has another distributedid." + name
                            + " than orders. Set the same value for both");
        }
    }

    @Test
    void workerNumbersAreLeasedFromTheSameTable() {
        try (DistributedIds ids =
                        open("seq.photos.snowflake.worker", "lease", "seq.photos.snowflake.layout", "snowflake");
                DistributedIds other =
                        open("seq.photos.snowflake.worker", "lease", "seq.photos.snowflake.layout", "snowflake")) {
            assertThat(ids.next("orders")).isPositive();
            DecodedId photo = ids.decode("photos", ids.next("photos"));
            DecodedId photoOfOther = ids.decode("photos", other.next("photos"));

            assertThat(photo.field("worker")).isZero();
            assertThat(photoOfOther.field("worker")).isEqualTo(1);
            assertThatThrownBy(() -> other.next("orders")).isInstanceOf(IdStandbyException.class);
        }
    }

    @Test
    void anExistingIdIsComparedWithTheClockWithoutAWait() {
        try (DistributedIds ids = open()) {
            long existing = ids.time("orders").floor(Instant.now().plusSeconds(15));
            ids.admin().requireAbove("orders", existing);
            assertThat(ids.next("orders")).isGreaterThan(existing);
            long far = ids.time("orders").floor(Instant.now().plusSeconds(80));
            assertThatThrownBy(() -> ids.admin().requireAbove("orders", far))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("New ids would be smaller than an existing id");
        }
    }

    @Test
    void idsOfABurstStayNearEnoughToTheClockForARestart() {
        String[] few = {
            "snowflake.layout", "time(ms):41, sequence:1",
            "snowflake.lease.duration", "1s",
            "snowflake.lease.max_clock_skew", "100ms",
            "block.timeout", "60s"
        };
        long last = 0;
        try (DistributedIds ids = open(few)) {
            for (int i = 0; i < 4_000; i++) {
                last = ids.next("orders");
                assertThat(ids.decode("orders", last).time().orElseThrow())
                        .isBefore(Instant.now().plusMillis(1_210));
            }
        }
        try (DistributedIds ids = open(few)) {
            assertThat(ids.next("orders")).isGreaterThan(last);
            ids.admin().requireAbove("orders", last);
            assertThat(ids.next("orders")).isGreaterThan(last);
        }
    }

    @Test
    void blocksAreRefused() {
        try (DistributedIds ids = open()) {
            assertThatThrownBy(() -> ids.sequence("orders").nextBlock(10))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("Ids in strict order can't be taken as a block");
            assertThat(ids.next("orders", 3)).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void anotherLayoutThanTheRecordedOneIsRefused() {
        try (DistributedIds ids = open();
                DistributedIds other = open("snowflake.layout", "time(ms):42, sequence:21")) {
            ids.next("orders");

            assertThatThrownBy(() -> other.next("orders"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("records " + STRICT + ". Set distributedid.snowflake.layout");
        }
    }

    @Test
    void aProcessWhoseLayoutIsRefusedDoesNotBecomeActive() throws SQLException {
        try (DistributedIds bad = open("snowflake.layout", "time(ms):42, sequence:21")) {
            long last;
            try (DistributedIds ids = open()) {
                last = ids.next("orders");
            }
            assertThatThrownBy(() -> bad.next("orders")).isInstanceOf(IdConfigurationException.class);
            assertThat(owner()).isEmpty();
            assertThat(bad.health("orders").orElseThrow())
                    .satisfies(health -> assertThat(health.status()).isEqualTo(IdHealth.Status.DOWN))
                    .satisfies(health -> assertThat(health.reason())
                            .startsWith("the sequence could not be opened: A sequence must keep its layout and epoch"));

            try (DistributedIds ids = open()) {
                assertThat(ids.next("orders")).isGreaterThan(last);
            }
        }
    }

    @Test
    @Tag("slow")
    void theLayoutIsChangedWhileNoProcessIsActive() {
        String wide = "time(ms):42, sequence:21";
        String epoch = "2000-01-01T00:00:00Z";
        try (DistributedIds active = open();
                DistributedIds tool = open("snowflake.layout", wide, "snowflake.epoch", epoch)) {
            active.next("orders");
            assertThatThrownBy(() -> tool.admin().changeLayout("orders", false))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "A process runs, or was killed a moment ago: distributedid on jdbc:h2:mem:strict, @strict by ");
        }
        try (DistributedIds tool = open("snowflake.layout", wide, "snowflake.epoch", epoch)) {
            assertThat(tool.admin().changeLayout("orders", false)).isEqualTo(STRICT);
            assertThat(tool.next("orders")).isPositive();
        }
    }

    @Test
    void theCheckSaysWhoIsActiveAndTakesNothing() {
        try (DistributedIds active = open("snowflake.lease.owner", "ids1");
                DistributedIds tool = open()) {
            active.next("orders");

            assertThat(tool.admin().check("orders"))
                    .extracting(CheckResult::what)
                    .containsExactly("layout", "store of leases", "leases", "clock", "layout record");
            assertThat(tool.admin().check("orders"))
                    .filteredOn(result -> result.what().equals("leases"))
                    .singleElement()
                    .asString()
                    .contains("@strict by ids1 until ");
            assertThat(tool.admin().check("orders")).allMatch(result -> result.status() != CheckResult.Status.FAILED);
        }
    }

    @Test
    void theTokenIsThatOfTheStore() {
        try (DistributedIds ids = open();
                DistributedIds other = open()) {
            ids.next("orders");

            assertThat(ids.admin().token("orders"))
                    .isPresent()
                    .isEqualTo(other.admin().token("orders"));
        }
    }

    @Test
    void aSuspendedProcessHandsNothingBackAndBeginsAsAnother() throws SQLException {
        try (DistributedIds ids = open("snowflake.lease.duration", "1s")) {
            long last = ids.next("orders");
            ids.suspend();
            assertThat(owner()).isNotEmpty();
            ids.resume();
            Await.until("it is active again", () -> tenure(ids).isActive(), () -> ids.health());

            assertThat(ids.next("orders")).isGreaterThan(last);
        }
        assertThat(owner()).isEmpty();
    }

    private static String owner() throws SQLException {
        String text = DatabaseRows.rows(URL, "SELECT text FROM distributedid WHERE name = '@strict'")
                .get(0);
        return text.replaceAll(".*owner=(\\S*).*|.*", "$1");
    }

    @Test
    void aLayoutWithoutAWorkerNeedsOneActiveProcess() {
        assertRefused(
                "A layout must have a field that tells processes apart: time(ms):41, sequence:22 from"
                        + " 2024-01-01T00:00:00Z until 2093, allowed: worker, data_centre, business, shard. For ids in"
                        + " strict order, which one process at a time makes, set"
                        + " distributedid.snowflake.worker=exclusive",
                "snowflake.worker",
                "lease");
    }

    @Test
    void oneActiveProcessNeedsALayoutWithoutAWorker() {
        assertRefused(
                "A setting has a value that is not allowed: distributedid.snowflake.worker=exclusive, allowed: only with"
                        + " layouts of time and sequence alone: time(ms):41, worker:10, sequence:12 from"
                        + " 2024-01-01T00:00:00Z until 2093. For ids in strict order set"
                        + " distributedid.snowflake.layout=strict; for ids of several processes at a time set"
                        + " distributedid.snowflake.worker=lease",
                "snowflake.layout",
                "snowflake");
    }

    @ParameterizedTest
    @CsvSource({
        "lease.wait, 60s",
        "lease.numbers, 0-7",
        "lease.duration, 999ms",
        "lease.duration, 61s",
        "lease.owner, é",
        "state_file, /tmp/worker-7",
        "data_centre, 1",
        "business, 1",
        "shard, 1"
    })
    void whatHasNoEffectIsRefused(String name, String value) {
        try (DistributedIds ids = open("snowflake." + name, value)) {
            assertThatThrownBy(() -> ids.next("orders"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("distributedid.snowflake." + name);
        }
    }

    @ParameterizedTest
    @CsvSource({"lease.duration, 5s", "lease.owner, ids1"})
    void theLeaseOfTheActiveProcessIsRefusedWithoutOne(String name, String value) {
        assertRefused(
                "A setting has a value that is not allowed: distributedid.snowflake." + name + "=" + value
                        + ", allowed: nothing, unless distributedid.snowflake.worker=exclusive",
                "snowflake." + name,
                value,
                "snowflake.worker",
                "lease",
                "snowflake.layout",
                "snowflake");
    }

    /** Else another process would be active while the one before it still gives ids, once the row is lost. */
    @Test
    void aLeaseThatIsLongerThanTheStoreWaitsAfterALossIsRefused() {
        assertRefused(
                "A setting has a value that is not allowed: distributedid.snowflake.lease.duration=6001ms, allowed: up"
                        + " to 6000ms with the window of the store: distributedid on jdbc:h2:mem:strict window=10000ms."
                        + " For more, stop all processes, set a longer distributedid.snowflake.lease.window, and run:"
                        + " distributedid init orders",
                "snowflake.lease.window",
                "10s",
                "snowflake.lease.duration",
                "6001ms");
    }

    @Test
    void aShardOfTheCallerIsRefused() {
        try (DistributedIds ids = open("shard.from", "caller")) {
            assertThatThrownBy(() -> ids.next("orders")).isInstanceOf(IdConfigurationException.class);
        }
    }

    private static void assertRefused(String message, String... more) {
        try (DistributedIds ids = open(more)) {
            assertThatThrownBy(() -> ids.next("orders"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(message);
        }
    }

    @Test
    void theSchemaHasTheTable() {
        assertThat(IdAdmin.ddl(settings(), "h2"))
                .singleElement()
                .asString()
                .startsWith("CREATE TABLE IF NOT EXISTS distributedid (");
    }
}
