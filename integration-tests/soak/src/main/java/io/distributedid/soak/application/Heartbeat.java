package io.distributedid.soak.application;

import io.distributedid.soak.ledger.Entry;
import io.distributedid.soak.ledger.EntryWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Notes when its process stood still: a thread that wakes up often was not woken for long. So a busy machine is told
 * from a fault of the library.
 */
final class Heartbeat {

    private static final long PAUSE = Duration.ofMillis(20).toNanos();

    private static final long STILL = Duration.ofMillis(300).toNanos();

    private Heartbeat() {}

    /** Where a process notes it. */
    static Path file(Path folder, int process) {
        return folder.resolve(process + ".still");
    }

    /** Begins. */
    static void start(Path folder, int process) throws IOException {
        EntryWriter writer = new EntryWriter(file(folder, process));
        Thread thread = new Thread(() -> beat(writer, process), "heartbeat");
        thread.setDaemon(true);
        thread.start();
    }

    private static void beat(EntryWriter writer, int process) {
        long last = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(PAUSE);
            long now = System.nanoTime();
            if (now - last > STILL) {
                try {
                    writer.write(List.of(Entry.refused(last, now, 0, process)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            last = now;
        }
    }
}
