package io.distributedid.internal.start;

import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;

/**
 * Reads the application's database on one connection, in two parts: first what needs no sequences, while the start does
 * something else; the rest when the sequences are open. Either {@link #finish} or {@link #cancel} must end it. For one
 * thread.
 */
public final class StartReading {

    private final String what;

    private final ConnectionAccess database;

    /** Empty if it is not read. */
    private final CompletableFuture<Optional<StartConnection.Step>> rest = new CompletableFuture<>();

    private final FutureTask<Boolean> reading;

    private final Thread reader;

    /**
     * Begins the first part.
     *
     * @param what is read, for messages
     */
    public StartReading(String what, ConnectionAccess database, Settings settings, StartConnection.Step first) {
        this.what = what;
        this.database = database;
        this.reading = new FutureTask<>(() -> {
            try (StartConnection connection = new StartConnection(database, settings)) {
                first.with(connection);
                Optional<StartConnection.Step> next = rest.join();
                if (next.isPresent()) {
                    next.get().with(connection);
                }
                return next.isPresent();
            }
        });
        this.reader = LibraryThread.named("distributedid-call", reading);
        reader.start();
    }

    /** Opens the sequences on the current thread, has the rest read, and waits for it. */
    public void finish(Runnable opening, StartConnection.Step next) {
        try {
            opening.run();
            rest.complete(Optional.of(next));
        } finally {
            // Does nothing if they are open.
            cancel();
        }
        boolean unused = StartConnection.finish(what, database, () -> LibraryThread.result(reading));
    }

    /** Ends without the rest. Waits for the end of the first part, so that its connection is given back. */
    public void cancel() {
        if (rest.complete(Optional.empty())) {
            LibraryThread.finish(reader);
        }
    }
}
