package io.distributedid.maelstrom;

import io.distributedid.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process that runs the program of the node. A thread of its own writes to it, so that nobody waits for a process
 * that stands still.
 */
final class NodeProcess implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 120;

    private final Process process;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private final List<Thread> threads;

    /** @param out gets what it says, on a thread of its own */
    NodeProcess(List<String> arguments, Path errors, Consumer<Message> out) throws IOException {
        process = new ProcessBuilder(JavaProcess.command("64m", Main.class.getName(), arguments.toArray()))
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        threads = List.of(
                start("reader", () -> {
                    try (BufferedReader reader = new BufferedReader(
                            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                            Optional<Message> message = message(line);
                            if (message.isEmpty() && reader.readLine() != null) {
                                throw new IllegalStateException("A node wrote what is no message: " + line);
                            }
                            message.ifPresent(out);
                        }
                    }
                }),
                start("writer", () -> {
                    try (Writer writer = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8)) {
                        while (true) {
                            writer.write(lines.take() + "\n");
                            if (lines.isEmpty()) {
                                writer.flush();
                            }
                        }
                    }
                }));
    }

    /** Empty if the line was cut off, as the last one of a process that is killed may be. */
    private static Optional<Message> message(String line) {
        try {
            return Optional.of(Message.parse(line));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @FunctionalInterface
    private interface Task {

        void run() throws IOException, InterruptedException;
    }

    private static Thread start(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException | InterruptedException e) {
                        // The process was killed, or the run is over. A line may be cut off.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    void send(Message message) {
        lines.add(message.text());
    }

    /** SIGSTOP, SIGCONT and the like. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** SIGTERM; returns when it has ended. */
    void stop() throws InterruptedException {
        process.destroy();
        await();
    }

    /** SIGKILL; returns when it is gone, and what it has said is read. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        await();
    }

    private void await() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The process of a node does not end: pid=" + process.pid());
        }
        threads.get(0).join();
        threads.get(1).interrupt();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when what it has said is read. */
    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
