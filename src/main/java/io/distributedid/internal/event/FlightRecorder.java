package io.distributedid.internal.event;

/** Hands events to Java Flight Recorder. Begins none while nobody records. */
final class FlightRecorder implements Events.Recorder {

    @Override
    public Events.Fetching fetch(String sequence, long wanted) {
        FetchEvent event = new FetchEvent();
        if (!event.isEnabled()) {
            return (server, got, failure) -> {};
        }
        event.begin();
        return (server, got, failure) -> {
            event.end();
            if (event.shouldCommit()) {
                event.seq = sequence;
                event.server = server;
                event.wanted = wanted;
                event.got = got;
                event.error = failure == null ? null : failure.toString();
                event.commit();
            }
        };
    }

    @Override
    public Runnable wait(String sequence) {
        WaitEvent event = new WaitEvent();
        if (!event.isEnabled()) {
            return () -> {};
        }
        event.begin();
        return () -> {
            event.end();
            if (event.shouldCommit()) {
                event.seq = sequence;
                event.commit();
            }
        };
    }

    @Override
    public void failover(String sequence, String server, Throwable failure) {
        FailoverEvent event = new FailoverEvent();
        if (event.shouldCommit()) {
            event.seq = sequence;
            event.server = server;
            event.error = failure.toString();
            event.commit();
        }
    }

    @Override
    public void window(long worker, long from, long until, String store) {
        WindowEvent event = new WindowEvent();
        if (event.shouldCommit()) {
            event.worker = worker;
            event.from = from;
            event.until = until;
            event.store = store;
            event.commit();
        }
    }
}
