package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a store says that differs from what a process began with, or from its settings. */
@Tag("slow")
class StoreTermsTest {

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
