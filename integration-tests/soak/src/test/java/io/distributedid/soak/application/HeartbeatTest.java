package io.distributedid.soak.application;

import io.distributedid.soak.ledger.Entry;
import io.distributedid.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeartbeatTest {

    @TempDir
    Path folder;

    @Test
    void aProcessNotesThatItStoodStill() throws IOException, InterruptedException {
        try (ApplicationProcess process = ApplicationProcess.start(
                folder, 1, 1, 1, Map.of("distributedid.backend", "memory"), Optional.empty())) {
            Await.until("it has ids", () -> process.board().get(Board.Field.CALLS) > 0);
            long begin = System.nanoTime();
            process.pause();
            Thread.sleep(700);
            process.resume();
            long end = System.nanoTime();

            Await.until(
                    "the standstill is noted",
                    () -> process.standstills().stream().anyMatch(still -> isDuring(still, begin, end)),
                    process::standstills);
        }
    }

    private static boolean isDuring(Entry still, long begin, long end) {
        return still.isRefused() && still.begin() < end && still.end() > begin && still.end() - still.begin() > 600e6;
    }
}
