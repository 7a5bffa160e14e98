package io.distributedid.maelstrom;

import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.testkit.WorkerStoreContract;
import java.time.InstantSource;
import java.util.Map;

/** A key of {@code lin-kv} is all that a store of worker numbers must be. */
class LinKvWorkerStoreTest extends WorkerStoreContract {

    private static final LocalService LIN_KV = new LocalService(new LinKv()::answer);

    @Override
    protected Map<String, ?> settings(int test) {
        throw new UnsupportedOperationException("No setting names this store");
    }

    @Override
    protected WorkerStore another(int test) {
        Cell cell = new ServiceCell(LIN_KV.peers("n0"), "lin-kv", "test" + test, false);
        return new CellWorkerStore(cell, InstantSource.system());
    }

    @Override
    protected boolean renewsInOneStep() {
        return false;
    }
}
