package io.distributedid.internal.ledger;

import io.distributedid.testkit.LedgerContract;
import java.util.concurrent.ConcurrentHashMap;

class MemoryLedgerTest extends LedgerContract {

    private final ConcurrentHashMap<String, Row> rows = new ConcurrentHashMap<>();

    @Override
    protected Ledger client() {
        return new MemoryLedger(rows, System::currentTimeMillis);
    }

    @Override
    protected void delete(String name) {
        rows.remove(name);
    }

    @Override
    protected boolean hasTexts() {
        return false;
    }
}
