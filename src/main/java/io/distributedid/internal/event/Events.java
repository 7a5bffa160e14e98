package io.distributedid.internal.event;

import org.jspecify.annotations.Nullable;

/**
 * What happens that is worth a look afterwards, told to Java Flight Recorder: fetches, failovers, windows and waits, never single ids.
 * Costs next to nothing while nobody records, and works on a Java without {@code jdk.jfr}. Thread-safe.
 */
public final class Events {

    private static final Recorder RECORDER =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent() ? new FlightRecorder() : new Nobody();

    /** A fetch that is under way. */
    @FunctionalInterface
    public interface Fetching {

        /**
         * The fetch is over.
         *
         * @param server that gave the block, or failed last; empty if the backend does not say
         * @param got how many ids
         * @param failure null if it succeeded
         */
        void end(String server, long got, @Nullable Throwable failure);
    }

    interface Recorder {

        Fetching fetch(String sequence, long wanted);

        Runnable wait(String sequence);

        void failover(String sequence, String server, Throwable failure);

        void window(long worker, long from, long until, String store);
    }

    /** Who listens where there is no Flight Recorder. */
    private static final class Nobody implements Recorder {

        @Override
        public Fetching fetch(String sequence, long wanted) {
            return (server, got, failure) -> {};
        }

        @Override
        public Runnable wait(String sequence) {
            return () -> {};
        }

        @Override
        public void failover(String sequence, String server, Throwable failure) {}

        @Override
        public void window(long worker, long from, long until, String store) {}
    }

    private Events() {}

    /**
     * A block is asked for.
     *
     * @param sequence its name
     * @param wanted how many ids
     * @return to be told of the end
     */
    public static Fetching fetch(String sequence, long wanted) {
        return RECORDER.fetch(sequence, wanted);
    }

    /**
     * A caller has to wait for an id.
     *
     * @param sequence its name
     * @return to be run when it waits no more
     */
    public static Runnable wait(String sequence) {
        return RECORDER.wait(sequence);
    }

    /**
     * A server is left out, and others do its work.
     *
     * @param sequence that noticed
     * @param server its label
     * @param failure why
     */
    public static void failover(String sequence, String server, Throwable failure) {
        RECORDER.failover(sequence, server, failure);
    }

    /**
     * A window of time was granted.
     *
     * @param worker its number
     * @param from the first id time, in milliseconds since 1970
     * @param until the first id time after it
     * @param store the label of who granted it
     */
    public static void window(long worker, long from, long until, String store) {
        RECORDER.window(worker, from, until, store);
    }
}
