package io.distributedid.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A clock that is far ahead for a moment. */
class ClockGlitchTest {

    private static final long MONTH_MILLIS = Duration.ofDays(30).toMillis();

    private static final long PATIENCE_NANOS = 20_000_000_000L;

    @TempDir
    Path folder;

    private volatile long shift;

    @Test
    void aMomentInAnotherMonthDoesNotBlockANumberWithAStateFile() throws Exception {
        try (DistributedIds ids = DistributedIds.builder()
                .settings(Map.of(
                        "distributedid.backend", "snowflake",
                        "distributedid.snowflake.worker", "71",
                        "distributedid.snowflake.state_file",
                                folder.resolve("state").toString()))
                .clock(() -> Instant.now().plusMillis(shift))
                .build()) {
            assertTimeOf(ids, ids.next("photos"));
            shift = MONTH_MILLIS;
            Thread caller = new Thread(() -> ids.next("photos"));
            caller.setUncaughtExceptionHandler((thread, e) -> System.out.println("the caller in the glitch: " + e));
            caller.start();
            Thread.sleep(300);
            shift = 0;
            caller.join();

            assertTimeOf(ids, afterwards(ids));
        }
    }

    private static void assertTimeOf(DistributedIds ids, long id) {
        assertThat(ids.decode("photos", id).time().orElseThrow())
                .isBefore(Instant.now().plusSeconds(2));
    }

    private static long afterwards(DistributedIds ids) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                return ids.next("photos");
            } catch (IdUnavailableException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }
}
