package io.distributedid.simulation;

import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counting.CounterRow;
import io.distributedid.internal.counting.CountingBackend;
import io.distributedid.internal.counting.Header;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import java.util.List;
import java.util.Map;

/** Counters on a ledger. */
final class LedgerKind implements Kind {

    static final LedgerKind INSTANCE = new LedgerKind();

    private LedgerKind() {}

    @Override
    public Content empty() {
        return LedgerContent.EMPTY;
    }

    @Override
    public Content foreign(Setup setup, Numbering numbering, long last, String identity) {
        LedgerContent content = LedgerContent.EMPTY;
        for (MemoryKey key : setup.keys()) {
            var numbers = new io.distributedid.internal.counting.Numbering(numbering.increment(), numbering.offset());
            Version version = new Version(3, "foreign");
            Header header =
                    new Header(version, Header.State.OPEN, "foreign", numbers, List.of(identity), 1, "", "", "");
            CounterRow row = new CounterRow(version, false, last, identity, 1, "");
            content = content.withHeader(key.table(), header).withNew(key.key(), row, Map.of());
        }
        return content;
    }

    @Override
    public boolean isUsed(Setup setup, Content content) {
        return setup.keys().stream().allMatch(((LedgerContent) content)::hasRow);
    }

    @Override
    public Backend backend(Scene scene, BackendContext context, List<Address> addresses, Host host) {
        return new CountingBackend(context, new LedgerStore(scene, addresses), host);
    }

    @Override
    public boolean mayTakeOver(Scene scene, MemoryServer server, Content replica) {
        boolean may = scene.evidence().mayTakeOver(server, (LedgerContent) replica);
        if (may) {
            scene.evidence().lost(server);
        }
        return may;
    }

    @Override
    public boolean repair(Scene scene, String sequence, long above, int attempts) {
        return LedgerOperators.repair(scene, sequence, above, attempts);
    }
}
