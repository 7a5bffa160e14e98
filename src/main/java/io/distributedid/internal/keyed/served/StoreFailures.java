package io.distributedid.internal.keyed.served;

import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Platform;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls to a store that failed since one has succeeded. Logs when an outage begins and ends. Thread-safe. */
final class StoreFailures {

    private static final OutageLog OUTAGES = new OutageLog(System.getLogger(StoreFailures.class.getName()));

    /** The last failure. The first one after the last success was at {@code since}, by {@link Platform#nanoTime}. */
    record Failure(Throwable cause, long since) {}

    private final Supplier<String> where;

    private final Platform platform;

    private volatile @Nullable Failure last;

    StoreFailures(Supplier<String> where, Platform platform) {
        this.where = where;
        this.platform = platform;
    }

    /** Null after a success. */
    @Nullable
    Failure last() {
        return last;
    }

    void succeeded() {
        last = null;
        OUTAGES.succeeded(this, () -> "The store of sections is reachable again: " + where.get());
    }

    /** For one thread at a time. */
    void failed(Throwable e, boolean isLogged) {
        Failure before = last;
        last = new Failure(e, before == null ? platform.nanoTime() : before.since);
        if (isLogged) {
            OUTAGES.failed(
                    this,
                    "The sections of a sequence can't be read or renewed for now, and that is tried again: "
                            + where.get(),
                    e);
        }
    }
}
