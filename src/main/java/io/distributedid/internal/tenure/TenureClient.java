package io.distributedid.internal.tenure;

import io.distributedid.internal.tenure.TenureState.Sighting;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries out {@link TenureProtocol} for one process and one store. For one thread at a time. */
final class TenureClient {

    private static final Logger LOG = System.getLogger(TenureClient.class.getName());

    /** How often a row of another process is read. */
    static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final TenureStore store;

    private final TenureProtocol protocol;

    private final LongSupplier nanoTime;

    private final Supplier<String> tokens;

    private final String owner;

    private TenureState state = TenureState.EMPTY;

    /** Whether the row may be another one than this process knows. */
    private boolean mustRead = true;

    private long takeovers;

    /**
     * @param nanoTime never jumps
     * @param tokens random, no two equal
     * @param owner names this process in messages of others
     */
    TenureClient(
            TenureStore store, TenureProtocol protocol, LongSupplier nanoTime, Supplier<String> tokens, String owner) {
        if (owner.isEmpty()) {
            throw new IllegalArgumentException("The owner of a tenure must have a name");
        }
        this.store = store;
        this.protocol = protocol;
        this.nanoTime = nanoTime;
        this.tokens = tokens;
        this.owner = owner;
    }

    TenureState state() {
        return state;
    }

    String owner() {
        return owner;
    }

    String label() {
        return store.label();
    }

    /** How often this process became the owner. */
    long takeovers() {
        return takeovers;
    }

    /** How long another process has to be seen idle until this one takes over; 0 or less if that is now. */
    long waitNanos() {
        return protocol.pause(state, nanoTime.getAsLong());
    }

    /** How long {@link #step} has nothing to do. */
    long pauseNanos() {
        if (mustRead || state.sent() != null) {
            return 0;
        }
        long pause = waitNanos();
        return state.held() == null ? Math.min(pause, POLL_NANOS) : pause;
    }

    /**
     * Reads the row unless this process owns it for certain. Then sends a request, if one is due.
     *
     * @param wanted whether to renew the term although that is not due yet
     */
    void step(boolean wanted) throws TenureStoreException, InterruptedException {
        if (mustRead || state.held() == null || state.sent() != null) {
            read();
        }
        long now = nanoTime.getAsLong();
        boolean isDue = protocol.pause(state, now) <= 0 || (wanted && state.held() != null);
        if (isDue) {
            send(now);
        }
    }

    /** Reads the row. */
    void read() throws TenureStoreException, InterruptedException {
        mustRead = true;
        TenureRow row = store.read();
        TenureState before = state;
        learn(protocol.read(before, row, nanoTime.getAsLong()));
        mustRead = false;
        if (before.held() != null && state.held() == null) {
            LOG.log(
                    Level.WARNING,
                    "This process is not active any more: it was not heard for its lease, and another one took over."
                            + " Active is " + (row == null ? "no process" : owner(row)) + ": " + store.label());
        }
    }

    private static String owner(TenureRow row) {
        return row.isHandedBack() ? "no process" : row.owner();
    }

    private void send(long now) throws TenureStoreException, InterruptedException {
        TenureRequest request = state.sent();
        if (request == null) {
            long bound = store.bound(TenureProtocol.from(state));
            request = protocol.request(state, bound, owner, tokens.get(), now);
        }
        state = state.sending(request);
        mustRead = true;
        if (store.compareAndSet(request.expected(), request.next())) {
            learn(protocol.granted(request));
            mustRead = false;
        }
    }

    private void learn(TenureState next) {
        boolean begins = state.held() == null && next.held() != null;
        Sighting seen = state.seen();
        state = next;
        if (begins) {
            takeovers++;
            LOG.log(Level.INFO, "This process is active now{0}: {1}", after(seen), store.label());
        }
    }

    private static String after(@Nullable Sighting seen) {
        TenureRow row = seen == null ? null : seen.row();
        return row == null || row.isHandedBack() ? "" : ", after " + row.owner() + " was not heard for its lease";
    }

    /**
     * Hands the row back if this process owns it. The last call.
     *
     * @param unused this process uses neither this nor a larger value
     */
    void handBack(long unused) throws TenureStoreException, InterruptedException {
        if (mustRead && !state.equals(TenureState.EMPTY)) {
            read();
        }
        Term held = state.held();
        if (held == null) {
            return;
        }
        TenureRequest request = protocol.handBack(held, unused, tokens.get(), nanoTime.getAsLong());
        boolean done = store.compareAndSet(request.expected(), request.next());
        LOG.log(Level.DEBUG, "The tenure is handed back: {0}, {1}", Boolean.toString(done), store.label());
    }

    void close() {
        store.close();
    }
}
