package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.registry.MemoryCopy;
import io.distributedid.testkit.CopiedProcess;
import io.distributedid.testkit.CopiedProcessContract;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two restores of one state of a process that composes ids. */
class CopiedSnowflakeTest extends CopiedProcessContract {

    private static final String URL = "jdbc:h2:mem:copied_workers;DB_CLOSE_DELAY=-1";

    private static final String ROWS = "SELECT SUM(number) FROM distributedid WHERE name LIKE '@worker/%'";

    @TempDir
    Path folder;

    /** The clock stands still and is the same in all copies, so only the worker number can make their ids differ. */
    private final Instant start = Instant.now();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("copied_workers");
    }

    @Override
    protected DistributedIds open(String worker) {
        return open(() -> start, worker);
    }

    private static DistributedIds open(InstantSource clock, String worker, String... more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", worker);
        if (worker.equals("lease") || worker.equals("single_use")) {
            settings.put("distributedid.snowflake.lease.server", URL);
            settings.put("distributedid.create_tables", "true");
        }
        for (int i = 0; i < more.length; i += 2) {
            settings.put("distributedid." + more[i], more[i + 1]);
        }
        return DistributedIds.builder().settings(settings).clock(clock).build();
    }

    static List<String> kinds() {
        return List.of("lease", "single_use");
    }

    @Override
    protected int taken(boolean bothBeginAnew) {
        return 10_000;
    }

    /** Gives the copy the same worker number, window and last id. */
    @Override
    protected void copyMemory(DistributedIds original, DistributedIds copy) {
        SnowflakeGenerator given = generator(original);
        SnowflakeGenerator generator = generator(copy);
        Object worker = MemoryCopy.get(given, "worker");
        if (worker instanceof LeasedWorker leased) {
            Right right = ((LeasedWorker) MemoryCopy.get(generator, "worker")).right();
            MemoryCopy.set(right, "current", MemoryCopy.get(leased.right(), "current"));
            MemoryCopy.set(right, "state", MemoryCopy.get(leased.right(), "state"));
        } else {
            MemoryCopy.set(generator, "worker", worker);
        }
        MemoryCopy.set(generator, "ranges", new StripedRanges(1 << 12));
        ((AtomicLong) MemoryCopy.get(generator, "last")).set(((AtomicLong) MemoryCopy.get(given, "last")).get());
    }

    private static SnowflakeGenerator generator(DistributedIds ids) {
        Map<?, ?> opened = (Map<?, ?>) MemoryCopy.get(MemoryCopy.backend(ids, "photos"), "opened");
        return (SnowflakeGenerator) MemoryCopy.get(opened.get("photos"), "generator");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "single_use"})
    void copiesThatAreNotToldGiveTheSameIds(String worker) {
        try (DistributedIds original = open(worker);
                DistributedIds copy = open(worker)) {
            List<Long> taken = useAndCopy(original, copy);

            taken.addAll(CopiedProcess.take(original, copy, "photos", 10_000));

            assertThat(CopiedProcess.duplicates(taken)).isGreaterThan(9_000);
        }
    }

    @Test
    void aLeaseIsNotHandedBackAndItsNumberStaysReserved() throws SQLException {
        try (DistributedIds ids = open("lease")) {
            ids.next("photos");
            long reserved = CopiedProcess.number(URL, ROWS);

            ids.suspend();
            assertThat(CopiedProcess.number(URL, ROWS)).isEqualTo(reserved);

            ids.resume();
            assertThat(ids.decode("photos", ids.next("photos")).field("worker")).isEqualTo(1);
            assertThat(CopiedProcess.number(
                            URL,
                            "SELECT COUNT(*) FROM distributedid WHERE name LIKE '@worker/%' AND text LIKE '%owner=%'"))
                    .isEqualTo(2);
            assertThat(CopiedProcess.number(URL, ROWS + " AND name = '@worker/0'"))
                    .isEqualTo(reserved);
        }
    }

    @Test
    void nothingIsOpenWhileSuspended() throws SQLException {
        try (DistributedIds ids = open("lease")) {
            ids.next("photos");

            ids.suspend();

            CopiedProcess.assertNothingIsOpen(URL);
        }
    }

    @Test
    void aStateFileIsClosedAndSaysNoLessThanBefore() throws Exception {
        Path file = folder.resolve("photos.state");
        try (DistributedIds ids = open(InstantSource.system(), "5", "snowflake.state_file", file.toString())) {
            List<Long> taken = new ArrayList<>(List.of(ids.next("photos")));
            Instant window = until(ids);

            ids.suspend();
            CopiedProcess.awaitNoThread();
            String said = said(file);

            try (LoggedWarnings warnings = LoggedWarnings.of(FixedNumber.class)) {
                ids.resume();
                assertThat(warnings.messages())
                        .singleElement()
                        .asString()
                        .startsWith("A worker number is used again by a process that was resumed");
            }
            taken.add(ids.next("photos"));
            assertThat(taken).doesNotHaveDuplicates();
            assertThat(said).isNotEqualTo(said(file));
            assertThat(ids.time("photos").instant(taken.get(1)))
                    .as("above all that a copy could use of the old window")
                    .isAfterOrEqualTo(window);
        }
    }

    private static String said(Path file) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(file.getParent())) {
            for (Path each : files.sorted().toList()) {
                all.append(Files.readString(each));
            }
        }
        return all.toString();
    }

    private static Instant until(DistributedIds ids) {
        LeasedWorker worker = (LeasedWorker) MemoryCopy.get(generator(ids), "worker");
        return Instant.ofEpochMilli(worker.window().until());
    }

    @Test
    void aFixedNumberIsRefusedAfterAResumeSinceEveryCopyHasIt() {
        try (DistributedIds ids = open(InstantSource.system(), "5")) {
            long id = ids.next("photos");
            ids.suspend();

            assertThatThrownBy(ids::resume)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A resumed process must not keep a fixed worker number, which every other copy of the"
                            + " process has too: distributedid.snowflake.worker=5. Set"
                            + " distributedid.snowflake.worker=lease, or start a new process instead of"
                            + " resuming this one");
            assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdConfigurationException.class);
            assertThatThrownBy(() -> ids.next("opened_later")).isInstanceOf(IdConfigurationException.class);
            assertThat(ids.decode("photos", id).field("worker")).isEqualTo(5);
        }
    }

    /** The process remembers what it used, also what it did not hand back. */
    @Test
    void aProcessThatStartsAgainWithTheNumberOfASuspendedOneBeginsAboveIt() {
        List<Long> taken = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            try (DistributedIds ids = open(InstantSource.system(), "6")) {
                for (int i = 0; i < 1_000; i++) {
                    taken.add(ids.next("photos"));
                }
                ids.suspend();
            }
        }
        assertThat(taken).doesNotHaveDuplicates();
    }
}
