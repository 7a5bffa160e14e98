package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.Header;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.ledger.Version;
import java.util.List;
import java.util.Map;

/** Servers that belong to others. */
final class Foreign {

    private Foreign() {}

    static MemoryServer empty(Scene scene) {
        return new MemoryServer("empty", scene.setup().increment(), 1, LedgerContent.EMPTY);
    }

    /** A server of another id space, with the same numbering, whose counters have given ids. */
    static MemoryServer used(Scene scene, int place, long ahead) {
        Setup setup = scene.setup();
        long offset = place % setup.servers() + 1L;
        long increment = setup.isNumberedByServer() ? setup.increment() : setup.servers();
        MemoryServer server = new MemoryServer("foreign", setup.increment(), offset, LedgerContent.EMPTY);
        long last = new Numbering(increment, offset).atLeast(ahead);
        server.change(content(setup, new Numbering(increment, offset), last, server.identity()));
        return server;
    }

    private static LedgerContent content(Setup setup, Numbering numbering, long last, String identity) {
        LedgerContent content = LedgerContent.EMPTY;
        for (MemoryKey key : setup.keys()) {
            Version version = new Version(3, "foreign");
            Header header =
                    new Header(version, Header.State.OPEN, "foreign", numbering, List.of(identity), 1, "", "", "");
            CounterRow row = new CounterRow(version, false, last, identity, 1, "");
            content = content.withHeader(key.table(), header).withNew(key.key(), row, Map.of());
        }
        return content;
    }
}
