package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.CountingBackend;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.NumberingRecord;
import io.distributedid.internal.counter.Witness;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import java.util.List;

/** Counters with records. */
final class RecordKind implements Kind {

    static final RecordKind INSTANCE = new RecordKind();

    private RecordKind() {}

    @Override
    public Content empty() {
        return Stored.EMPTY;
    }

    @Override
    public Content foreign(Setup setup, Numbering numbering, long last, String identity) {
        Stored stored = Stored.EMPTY;
        for (MemoryKey key : setup.keys()) {
            stored = stored.withClaim(
                            key.table(),
                            new NumberingRecord(
                                    2,
                                    numbering,
                                    NumberingRecord.State.OPEN,
                                    "foreign " + (setup.isTickets() ? key : "")))
                    .withRecord(key.key(), new CounterRecord(1, 0, identity))
                    .withRow(key.key(), last);
            for (long each = 1; each <= setup.servers(); each++) {
                stored = stored.withWitness(key.key(), each, new Witness(1, each == numbering.offset() ? last : 0));
            }
        }
        return stored;
    }

    @Override
    public boolean isUsed(Setup setup, Content content) {
        return ((Stored) content).records().size() == setup.keys().size();
    }

    @Override
    public Backend backend(Scene scene, BackendContext context, List<Address> addresses, Host host) {
        return new CountingBackend<>(context, new MemoryStore(scene.setup(), addresses), host);
    }

    @Override
    public boolean mayTakeOver(Scene scene, MemoryServer server, Content replica) {
        return Unnoticed.mayTakeOver(scene, server, (Stored) replica);
    }

    @Override
    public boolean repair(Scene scene, String sequence, long above, int attempts) {
        return Operators.repair(scene, sequence, above, attempts);
    }
}
