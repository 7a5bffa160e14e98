package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.lease.LeaseRunner;
import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.lease.StoreOperator;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Platform;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a store says that differs from what a process began with, or from its settings. */
@Tag("slow")
class StoreTermsTest {

    private static final String OLD = "time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z";

    private static final String NEW = "time(ms):41, worker:12, sequence:10 from 2024-01-01T00:00:00Z";

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final MemoryLedger ledger = new MemoryLedger(new ConcurrentHashMap<>(), System::currentTimeMillis);

    private volatile boolean isCut;

    private final class Store implements LeaseStore {

        private final boolean isFar;

        Store(boolean isFar) {
            this.isFar = isFar;
        }

        @Override
        public Page read(Collection<String> names, boolean isSynchronised) throws SQLException {
            requireWay();
            return ledger.read(names, isSynchronised);
        }

        @Override
        public Set<String> write(List<Change> changes) throws SQLException {
            requireWay();
            return ledger.write(changes);
        }

        private void requireWay() throws SQLException {
            if (isFar && isCut) {
                throw new SQLException("no route to host", "08001");
            }
        }

        @Override
        public String server() {
            return "memory";
        }

        @Override
        public String label() {
            return "memory";
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private SnowflakeGenerator process(Store store, String text) {
        LeaseRunner runner =
                new LeaseRunner(store, new StoreHeader.Terms(1_000, 250), InstantSource.system(), Platform.JVM);
        IdLayout layout = LayoutParser.parse(text);
        LayoutChange.require(runner, "photos", layout);
        LeasedWorker worker = LeasedWorker.ofNumber(runner, new Right.Numbers(0, 1023), SECOND);
        worker.lease(SECOND);
        return new SnowflakeGenerator(
                new WaitStatistics("photos", System::nanoTime, time -> {}),
                layout,
                worker,
                InstantSource.system(),
                Duration.ofMillis(100),
                SECOND,
                bound -> ThreadLocalRandom.current().nextLong(bound));
    }

    /** A process that does not reach the store while the layout is changed makes ids with the old one afterwards. */
    @Test
    void noIdIsGivenTwiceIfAProcessIsForgottenWhileTheLayoutIsChanged() throws Exception {
        ledger.write(List.of(Change.create(Ledger.STORE, "created", 0, Row.State.NEW, Fields.NONE)));
        SnowflakeGenerator forgotten = process(new Store(true), OLD);
        assertThat(forgotten.next(0)).isPositive();
        isCut = true;
        Thread.sleep(2_000);

        new StoreOperator(new Store(false), Platform.JVM, false)
                .change("photos", new LayoutChange("photos", LayoutParser.parse(NEW), false, "memory"));
        isCut = false;
        Thread.sleep(500);
        SnowflakeGenerator next = process(new Store(false), NEW);

        assertThat(next.next(0)).isPositive();
        assertThatThrownBy(() -> forgotten.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageEndingWith(
                        "The layout of a sequence was changed while this process ran: memory. It began with"
                                + " the old one, and gets no lease any more. Restart it with the new settings");
    }

    private static final String URL = "jdbc:h2:mem:store_terms;DB_CLOSE_DELAY=-1";

    private static Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", "lease");
        settings.put("distributedid.snowflake.lease.server", URL);
        settings.put("distributedid.snowflake.lease.window", "1s");
        settings.put("distributedid.create_tables", "true");
        more.forEach((name, value) -> settings.put("distributedid." + name, value));
        return settings;
    }

    /** As an operator does: with the epoch that the refusal names. */
    private static Map<String, String> change(String layout) {
        Map<String, String> settings = settings(Map.of("snowflake.layout", layout));
        for (int i = 0; i < 2; i++) {
            try (DistributedIds tool = DistributedIds.create(settings)) {
                tool.admin().changeLayout("photos", false);
                return settings;
            } catch (IdConfigurationException e) {
                Matcher epoch =
                        Pattern.compile("snowflake.epoch=(\\S+) or earlier").matcher(e.getMessage());
                if (!epoch.find()) {
                    throw e;
                }
                settings.put("distributedid.snowflake.epoch", epoch.group(1));
            }
        }
        throw new AssertionError();
    }

    /** The layout is changed, and changed once more before a process has started. */
    @Test
    void idsAreLargerThanAllBeforeAfterTwoChanges() throws Exception {
        try {
            long last;
            try (DistributedIds ids = DistributedIds.create(settings(Map.of()))) {
                last = ids.next("photos");
            }
            Thread.sleep(8_000);
            change("time(s):32, worker:11, sequence:20");
            try (DistributedIds ids = DistributedIds.create(change("time(ms):41, worker:11, sequence:10"))) {
                assertThat(ids.next("photos")).isGreaterThan(last);
            }
        } finally {
            H2Servers.drop("store_terms");
        }
    }

    /** Window and skew belong to the store: others need not set them. */
    @Test
    void aSuccessorGoesOnWhereTheStoresSkewAllows() throws Exception {
        try {
            Map<String, String> strict = settings(Map.of(
                    "snowflake.worker", "exclusive",
                    "snowflake.layout", "strict",
                    "snowflake.lease.window", "600s",
                    "snowflake.lease.max_clock_skew", "150s"));
            try (DistributedIds ids = DistributedIds.create(strict)) {
                ids.next("photos");
            }
            // The former process, whose clock was 100 s ahead, was killed; or has stopped after a burst.
            DatabaseRows.execute(
                    URL,
                    "UPDATE distributedid SET number = " + (System.currentTimeMillis() + 105_000)
                            + " WHERE name = '@strict'");
            strict.remove("distributedid.snowflake.lease.window");
            strict.remove("distributedid.snowflake.lease.max_clock_skew");
            try (DistributedIds ids = DistributedIds.create(strict)) {
                assertThat(ids.next("photos")).isPositive();
            }
        } finally {
            H2Servers.drop("store_terms");
        }
    }
}
