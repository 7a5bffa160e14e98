package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.process.Holdings;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fixed number that several processes had before, one after another, and not all of them left a record of it. Each
 * process takes all ids that the clock allows, and is killed unless it is closed. Each backend is a process; those with
 * the same {@link Holdings} run in one JVM.
 */
class FormerUseTest {

    private static final String URL = "jdbc:h2:mem:former_use;DB_CLOSE_DELAY=-1";

    private static final Duration SOON = Duration.ofMillis(20);

    @TempDir
    Path folder;

    private final SettableClock clock =
            new SettableClock(Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(900));

    private final Supplier<Holdings> jvm = Snowflakes.jvm();

    private final List<SnowflakeBackend> processes = new ArrayList<>();

    private final Set<Long> given = new HashSet<>();

    @AfterEach
    void close() throws SQLException {
        processes.forEach(SnowflakeBackend::close);
        H2Servers.drop("former_use");
    }

    @ParameterizedTest
    @ValueSource(strings = {"time(ms):41, worker:10, sequence:4", "time(s):32, worker:11, sequence:8"})
    void aJvmThatHadTheNumberStartsAboveAProcessThatHadItSince(String layout) {
        Map<String, String> settings = settings("worker", "7", "layout", layout);
        SnowflakeBackend before = process(jvm);
        take(before.open(photos(settings)));
        stop(before);
        clock.move(Duration.ofHours(1));
        take(process(Snowflakes.jvm()).open(photos(settings)));

        clock.move(SOON);
        take(process(jvm).open(photos(settings)));
    }

    @Test
    void aProcessWithAStateFileStartsAboveOneThatHadTheNumberWithoutIt() {
        String layout = "time(ms):41, worker:10, sequence:4";
        Map<String, String> without = settings("worker", "7", "layout", layout);
        Map<String, String> with = settings("worker", "7", "layout", layout, "state_file", file());
        takeInTurn(with, without);
    }

    @Test
    void aProcessThatLeasesTheNumberStartsAboveOneThatHadItWithoutALease() {
        String layout = "time(ms):41, worker:10, sequence:4";
        Map<String, String> without = settings("worker", "7", "layout", layout);
        Map<String, String> with = new HashMap<>(without);
        with.putAll(settings("lease.server", URL, "create_tables", "true"));
        takeInTurn(with, without);
    }

    /** Three processes take ids, one after the other; the record knows only the first. No id comes twice. */
    private void takeInTurn(Map<String, String> with, Map<String, String> without) {
        SnowflakeBackend before = process(Snowflakes.jvm());
        take(before.open(photos(with)));
        stop(before);
        clock.move(SOON);
        take(process(Snowflakes.jvm()).open(photos(without)));

        clock.move(SOON);
        SnowflakeBackend last = process(Snowflakes.jvm());
        CompletableFuture<IdSource> ids = CompletableFuture.supplyAsync(() -> last.open(photos(with)));
        Await.until("the clock is at the first id", () -> {
            if (!ids.isDone()) {
                clock.move(SOON);
            }
            return ids.isDone();
        });
        take(ids.join());
    }

    /** The file knows up to when the process was used, but not each of its businesses. */
    @Test
    void aBusinessThatGetsTheStateFileOfAnotherOneStartsAboveItsOwnFormerUse() {
        Map<String, String> orders = business(1, "state_file", file());
        Map<String, String> photos = business(2, "state_file", file());
        process(Snowflakes.jvm(), "orders", orders);
        clock.move(SOON);
        take(process(Snowflakes.jvm()).open(photos(business(2))));

        clock.move(SOON);
        take(process(Snowflakes.jvm()).open(photos(photos)));
    }

    /** While this process had the file for another business, a process with this one was killed. */
    @Test
    void aBusinessThatIsOpenedLaterStartsAboveItsOwnFormerUse() {
        String[] settings = {"state_file", file(), "max_ahead", "1ms", "clock_tolerance", "0ms"};
        SnowflakeBackend process = process(Snowflakes.jvm());
        IdSource orders = process.open(sequence("orders", business(1, settings)));
        clock.move(Duration.ofMillis(500));
        take(process(Snowflakes.jvm()).open(photos(business(2))));
        clock.move(SOON);
        Sequence photos = photos(business(2, settings));

        IdSource ids = process.open(photos);

        addAll(ids);
        assertThat(process.statistics(photos).orElseThrow().refusal()).isEmpty();
        for (int i = 0; i < 101; i++) {
            clock.move(Duration.ofMillis(1));
            addAll(ids);
        }
        take(orders);
    }

    /** The first ids lie further ahead than bursts may, and are waited for even without any tolerance. */
    @Test
    void aProcessWithASmallerMaxAheadStartsAboveOneWithTheLargest() {
        String layout = "time(ms):41, worker:10, sequence:4";
        take(process(Snowflakes.jvm()).open(photos(settings("worker", "7", "layout", layout, "max_ahead", "100ms"))));
        int before = given.size();
        clock.move(SOON);
        Sequence photos =
                photos(settings("worker", "7", "layout", layout, "max_ahead", "1ms", "clock_tolerance", "0ms"));
        SnowflakeBackend next = process(Snowflakes.jvm());
        IdSource ids = next.open(photos);

        assertThat(ids.tryNext()).isZero();
        assertThat(next.statistics(photos).orElseThrow().refusal()).isEmpty();
        for (int i = 0; i < 101; i++) {
            clock.move(Duration.ofMillis(1));
            addAll(ids);
        }
        assertThat(given).hasSizeGreaterThan(before);
    }

    @ParameterizedTest
    @CsvSource({
        "worker, 7, state_file, state",
        "worker, 7, clock_tolerance, 1s",
        "worker, 7, lease.server, " + URL,
        "worker, statefulset:photos, clock_tolerance, 1s",
        "layout, 'time(ms):41, business:3, sequence:4', business, 1"
    })
    void aFixedNumberMustNotRunFurtherAheadThanItsNextProcessStarts(
            String name, String value, String second, String itsValue) {
        Map<String, String> settings = settings(name, value, second, itsValue, "max_ahead", "101ms");

        assertThatThrownBy(() -> process(Snowflakes.jvm()).open(photos(settings)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.snowflake.max_ahead=101ms,"
                        + " allowed: 1ms to 100ms with a fixed number, since the next process with that number starts"
                        + " that far ahead of the clock, above all ids of this process. Lower it, and start 10 s after"
                        + " the last process that had the larger value. For more, set"
                        + " distributedid.snowflake.worker=lease");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "single_use"})
    void aNumberWhoseEveryUseIsRecordedMayRunFurtherAheadAndStartsAtTheClock(String worker) {
        IdSource ids = process(Snowflakes.jvm())
                .open(photos(
                        settings("worker", worker, "lease.server", URL, "create_tables", "true", "max_ahead", "10s")));

        IdLayout layout = Snowflakes.LAYOUT;
        assertThat(layout.decode(ids.tryNext()).time()).contains(clock.instant());
    }

    /** Nothing remembers how far its ids have come, and the next process starts by the clock. */
    @ParameterizedTest
    @ValueSource(longs = {0, 900, 5_000})
    void aProcessWhoseClockIsSetBackWarnsOfARestartIfNothingRecordsItsNumber(long back) {
        SnowflakeBackend process = process(jvm);
        IdSource ids = process.open(photos(settings("worker", "7", "clock_tolerance", "4s")));
        addAll(ids);
        clock.move(Duration.ofSeconds(1));
        addAll(ids);
        try (LoggedWarnings warnings = LoggedWarnings.of(SnowflakeGenerator.class)) {
            clock.move(Duration.ofMillis(-back));
            callTwice(ids);

            assertThat(warnings.messages())
                    .containsExactlyElementsOf(
                            back != 900
                                    ? List.of()
                                    : List.of("The clock went back, and callers wait. Do not restart this process for"
                                            + " 900 ms, and do not give worker=7 to another process: nothing remembers"
                                            + " until when the number was used, and ids would repeat. Set"
                                            + " distributedid.snowflake.state_file to a file that outlives the process,"
                                            + " or distributedid.snowflake.worker=lease. clock=" + clock.instant()
                                            + Pages.onCall("clock-back")));
        }
    }

    @Test
    void aProcessWhoseClockIsSetBackDoesNotWarnIfAStateFileRecordsItsNumber() {
        IdSource ids = process(jvm).open(photos(settings("worker", "7", "state_file", file())));
        take(ids);
        try (LoggedWarnings warnings = LoggedWarnings.of(SnowflakeGenerator.class)) {
            clock.move(Duration.ofMillis(-900));
            callTwice(ids);

            assertThat(warnings.messages()).isEmpty();
        }
    }

    /** Others have taken ids meanwhile. */
    @Test
    void aThreadThatWasSuspendedTakesNoClockForOneThatWentBack() {
        IdSource ids = process(jvm).open(photos(settings("worker", "7")));
        addAll(ids);
        clock.move(Duration.ofSeconds(1));
        addAll(ids);
        try (LoggedWarnings warnings = LoggedWarnings.of(SnowflakeGenerator.class)) {
            // For its range, and for the next one.
            clock.nextLooksAreLate(2, Duration.ofMillis(50));
            Thread.currentThread().interrupt();
            assertThatThrownBy(ids::next).isInstanceOf(IdUnavailableException.class);
            assertThat(Thread.interrupted()).isTrue();

            assertThat(warnings.messages()).isEmpty();
        }
    }

    /** Two calls that wait for the clock, and end before it gets there. */
    private static void callTwice(IdSource ids) {
        for (int call = 0; call < 2; call++) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(ids::next).isInstanceOf(IdUnavailableException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** Takes all ids that the clock allows now, and as soon as the first one is possible. */
    private void take(IdSource ids) {
        int before = given.size();
        addAll(ids);
        for (int i = 0; i < 100 && given.size() == before; i++) {
            clock.move(SOON);
            addAll(ids);
        }
        assertThat(given).hasSizeGreaterThan(before);
    }

    private void addAll(IdSource ids) {
        for (long id = ids.tryNext(); id != 0; id = ids.tryNext()) {
            if (!given.add(id)) {
                fail("%s is given twice", id);
            }
        }
    }

    private void stop(SnowflakeBackend process) {
        process.close();
        processes.remove(process);
    }

    private void process(Supplier<Holdings> numbers, String sequence, Map<String, String> settings) {
        SnowflakeBackend process = process(numbers);
        process.open(sequence(sequence, settings));
        stop(process);
    }

    private SnowflakeBackend process(Supplier<Holdings> numbers) {
        SnowflakeBackend process = new SnowflakeBackend(
                clock,
                new WorkerRegistry(clock, numbers, () -> "photos-7", Optional.empty()),
                false,
                (name, time) -> {});
        processes.add(process);
        return process;
    }

    private String file() {
        return folder.resolve("state").toString();
    }

    private static Map<String, String> business(int number, String... more) {
        Map<String, String> settings = settings(
                "layout", "time(ms):41, data_centre:6, business:6, sequence:4",
                "data_centre", "1",
                "business", Integer.toString(number));
        settings.putAll(settings(more));
        return settings;
    }

    private static Map<String, String> settings(String... more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", "snowflake");
        for (int i = 0; i < more.length; i += 2) {
            settings.put(
                    (more[i].equals("create_tables") ? "distributedid." : "distributedid.snowflake.") + more[i],
                    more[i + 1]);
        }
        return settings;
    }

    private static Sequence photos(Map<String, String> settings) {
        return sequence("photos", settings);
    }

    private static Sequence sequence(String name, Map<String, String> settings) {
        return new Sequence(name, Long.MAX_VALUE, "Photo.id", Settings.of(settings));
    }
}
