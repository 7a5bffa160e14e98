package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.NumberingRecord;
import io.distributedid.internal.counter.Witness;

/** Servers that belong to others. */
final class Foreign {

    private Foreign() {}

    static MemoryServer empty(Scene scene) {
        return new MemoryServer("empty", scene.setup().increment(), 1);
    }

    /** A server of another id space, with the same numbering, whose counters have given ids. */
    static MemoryServer used(Scene scene, int place, long ahead) {
        Setup setup = scene.setup();
        long offset = place % setup.servers() + 1L;
        long increment = setup.isNumberedByServer() ? setup.increment() : setup.servers();
        MemoryServer server = new MemoryServer("foreign", setup.increment(), offset);
        Stored stored = Stored.EMPTY;
        for (MemoryKey key : setup.keys()) {
            long last = new Numbering(increment, offset).atLeast(ahead);
            stored = stored.withClaim(
                            key.table(),
                            new NumberingRecord(
                                    2,
                                    new Numbering(increment, offset),
                                    NumberingRecord.State.OPEN,
                                    "foreign " + (setup.isTickets() ? key : "")))
                    .withRecord(key.key(), new CounterRecord(1, 0, server.identity()))
                    .withRow(key.key(), last);
            for (long each = 1; each <= setup.servers(); each++) {
                stored = stored.withWitness(key.key(), each, new Witness(1, each == offset ? last : 0));
            }
        }
        server.change(stored);
        return server;
    }
}
