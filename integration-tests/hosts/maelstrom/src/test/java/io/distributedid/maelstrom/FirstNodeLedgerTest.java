package io.distributedid.maelstrom;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** So is the first node's file, which the others ask for. */
class FirstNodeLedgerTest extends LinKvLedgerTest {

    @TempDir
    private static Path folder;

    @Override
    LocalService service() {
        try {
            Cell cell = new FileCell(folder.resolve(name().replace('/', '-')));
            return new LocalService(message -> {
                // Whoever interrupts a caller does not interrupt the first node.
                boolean isInterrupted = Thread.interrupted();
                try {
                    return CellRequest.answer(message, cell);
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                } finally {
                    if (isInterrupted) {
                        Thread.currentThread().interrupt();
                    }
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
