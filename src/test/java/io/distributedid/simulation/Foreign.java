package io.distributedid.simulation;

import io.distributedid.internal.counter.Numbering;

/** Servers that belong to others. */
final class Foreign {

    private Foreign() {}

    static MemoryServer empty(Scene scene) {
        return new MemoryServer(
                "empty", scene.setup().increment(), 1, scene.setup().kind().empty());
    }

    /** A server of another id space, with the same numbering, whose counters have given ids. */
    static MemoryServer used(Scene scene, int place, long ahead) {
        Setup setup = scene.setup();
        long offset = place % setup.servers() + 1L;
        long increment = setup.isNumberedByServer() ? setup.increment() : setup.servers();
        MemoryServer server = new MemoryServer(
                "foreign", setup.increment(), offset, setup.kind().empty());
        long last = new Numbering(increment, offset).atLeast(ahead);
        server.change(setup.kind().foreign(setup, new Numbering(increment, offset), last, server.identity()));
        return server;
    }
}
