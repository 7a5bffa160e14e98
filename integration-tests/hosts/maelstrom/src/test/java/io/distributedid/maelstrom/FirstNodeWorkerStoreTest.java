package io.distributedid.maelstrom;

import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.testkit.WorkerStoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.io.TempDir;

/** The first node's file, which the others ask for, is all that a store of worker numbers must be. */
class FirstNodeWorkerStoreTest extends WorkerStoreContract {

    @TempDir
    private static Path folder;

    private final Map<Integer, LocalService> services = new ConcurrentHashMap<>();

    @Override
    protected Map<String, ?> settings(int test) {
        throw new UnsupportedOperationException("No setting names this store");
    }

    @Override
    protected WorkerStore another(int test) {
        LocalService node = services.computeIfAbsent(test, FirstNodeWorkerStoreTest::node);
        return new CellWorkerStore(new ServiceCell(node.peers("n1"), "n0", "workers", false), InstantSource.system());
    }

    private static LocalService node(int test) {
        try {
            Cell cell = new FileCell(folder.resolve("test" + test));
            return new LocalService(message -> {
                try {
                    return CellRequest.answer(message, cell);
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected boolean renewsInOneStep() {
        return false;
    }
}
