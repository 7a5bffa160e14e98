package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import io.distributedid.SequenceListener;
import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.block.BlockBuffers;
import io.distributedid.internal.counter.CountingBackend;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A process that takes ids, or an operator's: the real backend and its buffers, on a {@link Host}. */
final class Application {

    private static final SequenceListener SILENT = opened -> {};

    private static final Duration CALL_LIMIT = Duration.ofSeconds(3);

    private final Scene scene;

    private final Host host;

    private final Side side;

    private final List<Address> addresses;

    /** Threads add to it while others read. */
    private final List<BlockBuffer> buffers = new CopyOnWriteArrayList<>();

    private final Map<String, IdSource> open = new LinkedHashMap<>();

    private final Backend backend;

    private final Settings settings;

    private boolean isClosed;

    Application(Scene scene, Host host, List<MemoryServer> servers, Side side) {
        this.scene = scene;
        this.host = host;
        this.side = side;
        this.settings = scene.settings();
        this.addresses = scene.addresses(host, servers);
        BlockBuffers made = new BlockBuffers(host, SILENT, host);
        this.backend = new CountingBackend(
                new BackendContext() {
                    @Override
                    public InstantSource clock() {
                        // A thousand times as fast: no server is lost and repaired within a second.
                        return () -> Instant.ofEpochMilli(scene.world().now() / 1_000);
                    }

                    @Override
                    public Optional<ConnectionAccess> applicationDatabase() {
                        return Optional.empty();
                    }

                    @Override
                    public IdSource buffer(Sequence sequence, BlockSource source) {
                        BlockBuffer buffer = made.buffer(sequence, source);
                        buffers.add(buffer);
                        return buffer;
                    }
                },
                new LedgerStore(scene, addresses),
                host);
    }

    Host host() {
        return host;
    }

    Backend backend() {
        return backend;
    }

    Address address(int place) {
        return addresses.get(place % addresses.size());
    }

    List<Address> addresses() {
        return addresses;
    }

    Sequence sequence(String name) {
        return new Sequence(name, scene.setup().typeEnd(name), "Entity.id", settings);
    }

    /** Opens sequences as the registry does: once, and the application's database remembers the token of each. */
    void open(List<String> names, boolean prepares) {
        scene.opened(this);
        if (prepares) {
            Map<Sequence, List<Long>> existing = new LinkedHashMap<>();
            names.forEach(each -> existing.put(sequence(each), List.of(0L)));
            backend.prepare(existing);
        }
        for (String name : names) {
            if (isOpen(name)) {
                continue;
            }
            IdSource ids = backend.open(sequence(name));
            scene.places(side)
                    .remember(
                            name, Maintenance.of(backend).token(sequence(name)).orElseThrow());
            open.put(name, ids);
        }
        if (prepares) {
            buffers.forEach(BlockBuffer::prefetch);
        }
    }

    boolean isOpen(String name) {
        return open.containsKey(name);
    }

    /** Takes one id. Returns false if there is none. */
    boolean take(Object thread, String name) {
        return take(thread, name, 1);
    }

    /** Takes ids of one block. */
    boolean take(Object thread, String name, long count) {
        IdSource ids = open.get(name);
        if (ids == null) {
            return false;
        }
        long began = scene.world().now();
        long paused = host.pausedFor();
        try {
            if (count == 1) {
                long id = ids.next();
                scene.world().log(() -> "gives " + name + " " + id);
                given(thread, name, id, 1, 1, began);
            } else {
                ReservedBlock block = ids.nextBlock(count);
                scene.world().log(() -> "gives " + name + " " + block.block());
                given(
                        thread,
                        name,
                        block.block().first(),
                        block.block().step(),
                        block.block().count(),
                        began);
            }
            return true;
        } catch (DistributedIdException e) {
            failed(name, e);
            return false;
        } finally {
            if (!host.isKilled()) {
                scene.judge().ended(thread, scene.world().now() - began - (host.pausedFor() - paused), CALL_LIMIT);
            }
        }
    }

    private void given(Object thread, String name, long first, long step, long count, long began) {
        scene.judge()
                .given(
                        side,
                        name,
                        first,
                        step,
                        count,
                        addresses.get(0).numbering().increment(),
                        new Judge.Call(thread, began, scene.world().now()));
        scene.promises().given(this, name, first, began);
    }

    void failed(String name, DistributedIdException e) {
        scene.world().log(() -> "gets no id of " + name + ": " + e.getMessage());
        scene.judge().failed(name, e);
    }

    /** The last id that it has drawn from a server; 0 if none. */
    long drawn(MemoryServer server, String counter) {
        return addresses.stream()
                .filter(each -> each.server() == server)
                .mapToLong(each -> each.drawn(counter))
                .sum();
    }

    /** Takes an id that must come: nothing has gone wrong for a while. */
    void mustTake(Object thread, String name) {
        mustTake(thread, name, false);
    }

    /** @param strictly whatever may be refused now */
    void mustTake(Object thread, String name, boolean strictly) {
        IdSource ids = open.get(name);
        if (ids == null) {
            return;
        }
        long began = scene.world().now();
        long paused = host.pausedFor();
        try {
            long id = ids.next();
            scene.world().log(() -> "gives " + name + " " + id);
            given(thread, name, id, 1, 1, began);
            scene.judge().ended(thread, scene.world().now() - began - (host.pausedFor() - paused), CALL_LIMIT);
        } catch (DistributedIdException e) {
            failed(name, e);
            boolean isExpected =
                    !isClosed && host.pausedFor() == paused && !scene.setup().ends(name);
            if (isExpected && (strictly || !scene.judge().isAllowed(e))) {
                throw new Judge.Verdict("All servers are well, but there is no id of " + name + ": " + e.getMessage());
            }
        }
    }

    /** Raises above an id that exists, as the registry does. */
    void raise(String name, long existing) {
        Maintenance.of(backend).requireAbove(sequence(name), List.of(existing), true);
        forgetReserved();
        scene.promises().made(this, name, existing);
    }

    /** The next ids come from a server. */
    void forgetReserved() {
        buffers.forEach(BlockBuffer::discard);
    }

    void close() {
        isClosed = true;
        BlockBuffers.close(buffers);
        backend.close();
        scene.closed(this);
    }

    @Override
    public String toString() {
        return host.toString();
    }
}
