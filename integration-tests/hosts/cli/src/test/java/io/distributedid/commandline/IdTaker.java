package io.distributedid.commandline;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.JavaProcess;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** An application in a process of its own. It takes ids of the sequence {@code photos} until it is told to stop. */
final class IdTaker implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private static final String FAILED = "failed=";

    private final Process process;

    private final Path ids;

    private final AtomicLong taken = new AtomicLong();

    private volatile long failed = -1;

    private IdTaker(Process process, Path ids) {
        this.process = process;
        this.ids = ids;
        Thread reader = new Thread(this::follow);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts one with the settings of a file. */
    static IdTaker start(Path folder, Path settings) throws IOException {
        Path ids = Files.createTempFile(folder, "taker", ".ids");
        Process process = new ProcessBuilder(JavaProcess.command("128m", IdTaker.class.getName(), settings, ids))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new IdTaker(process, ids);
    }

    private void follow() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(FAILED)) {
                    failed = Long.parseLong(line.substring(FAILED.length()));
                } else {
                    taken.set(Long.parseLong(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many ids it has taken so far. */
    long taken() {
        return taken.get();
    }

    void awaitIds(long count) throws InterruptedException {
        long began = System.nanoTime();
        while (taken.get() < count) {
            if (!process.isAlive() || System.nanoTime() - began > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new AssertionError(
                        "An application took " + taken + " ids instead of " + count + ", alive=" + process.isAlive());
            }
            Thread.sleep(5);
        }
    }

    /** Stops it, reads its ids, and returns how many of its calls failed. */
    long stop(LongConsumer into) throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError("An application did not end well: " + process);
        }
        LongBuffer all = ByteBuffer.wrap(Files.readAllBytes(ids)).asLongBuffer();
        while (all.hasRemaining()) {
            into.accept(all.get());
        }
        Await.until("it has told how many calls failed", () -> failed >= 0);
        return failed;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. Arguments: a file of settings, a file for ids. */
    public static void main(String[] args) throws Exception {
        Properties settings = new Properties();
        try (BufferedReader reader = Files.newBufferedReader(Path.of(args[0]))) {
            settings.load(reader);
        }
        Map<String, Object> values = new HashMap<>();
        settings.forEach((name, value) -> values.put(name.toString(), value));
        AtomicBoolean stopped = new AtomicBoolean();
        Thread stop = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {}
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                stopped.set(true);
            }
        });
        stop.setDaemon(true);
        long count = 0;
        long failures = 0;
        try (DistributedIds ids = DistributedIds.create(values);
                DataOutputStream file =
                        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(args[1]))))) {
            stop.start();
            while (!stopped.get()) {
                try {
                    file.writeLong(ids.next("photos"));
                    count++;
                } catch (DistributedIdException e) {
                    failures++;
                    e.printStackTrace();
                }
                if (count % 100 == 0) {
                    System.out.println(count);
                }
                LockSupport.parkNanos(100_000);
            }
        }
        System.out.println(FAILED + failures);
    }
}
