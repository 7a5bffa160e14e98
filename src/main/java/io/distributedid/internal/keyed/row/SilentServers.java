package io.distributedid.internal.keyed.row;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The servers that were asked in vain and have not answered since. So one that hangs delays one sequence, not each.
 * What was found out gets old: a server that nobody has asked for long counts as one that was never asked. Thread-safe.
 */
final class SilentServers {

    /** A server is asked again after it. */
    static final long PAUSE = Duration.ofSeconds(5).toNanos();

    enum State {
        /** It answers, or nobody has asked it lately. */
        UNKNOWN,
        /** It was asked in vain, and should be asked again. */
        DUE,
        /** It was asked in vain just now. */
        SILENT
    }

    /** @param isAsked whether it is being asked again */
    private record Silence(long since, boolean isAsked) {}

    private final AtomicReferenceArray<@Nullable Silence> byServer;

    private final LongSupplier nanoTime;

    SilentServers(int servers, LongSupplier nanoTime) {
        byServer = new AtomicReferenceArray<>(servers);
        this.nanoTime = nanoTime;
    }

    State state(int server) {
        Silence silence = byServer.get(server);
        if (silence == null) {
            return State.UNKNOWN;
        }
        long age = nanoTime.getAsLong() - silence.since;
        if (silence.isAsked || age <= PAUSE) {
            return State.SILENT;
        }
        return age <= 2 * PAUSE ? State.DUE : State.UNKNOWN;
    }

    /** Whether it was asked in vain at a time or after it. */
    boolean isSilentSince(int server, long time) {
        Silence silence = byServer.get(server);
        return silence != null && silence.since - time >= 0;
    }

    /** It is about to be asked. Others go on meanwhile if it was asked in vain lately. One thread at a time asks. */
    void asking(int server) {
        Silence silence = byServer.get(server);
        if (silence != null) {
            byServer.compareAndSet(
                    server, silence, state(server) == State.UNKNOWN ? null : new Silence(silence.since, true));
        }
    }

    /** The end of {@link #asking}, however it ended. */
    void asked(int server) {
        Silence silence = byServer.get(server);
        if (silence != null && silence.isAsked) {
            byServer.compareAndSet(server, silence, new Silence(silence.since, false));
        }
    }

    void answered(int server) {
        if (byServer.get(server) != null) {
            byServer.set(server, null);
        }
    }

    void silent(int server) {
        byServer.set(server, new Silence(nanoTime.getAsLong(), false));
    }
}
