package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A clock that is far ahead for a moment. */
@Tag("slow")
class ClockGlitchTest {

    private static final long MONTH_MILLIS = Duration.ofDays(30).toMillis();

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
                                folder.resolve("state").toString(),
                        "distributedid.block.timeout", "1s"))
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
        AtomicLong id = new AtomicLong();
        AtomicReference<IdUnavailableException> refusal = new AtomicReference<>();
        Await.until(
                "there is an id again",
                () -> {
                    try {
                        id.set(ids.next("photos"));
                        return true;
                    } catch (IdUnavailableException e) {
                        refusal.set(e);
                        return false;
                    }
                },
                refusal::get);
        return id.get();
    }
}
