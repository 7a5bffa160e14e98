package io.distributedid.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real server in a process of its own, for tests that need the truth about a crash or a hang. It listens on the
 * loopback address only, and keeps all it writes in one folder, which {@link #close()} deletes. What still runs when
 * the JVM exits is killed.
 */
public abstract class RealServer implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final int LOG_TAIL = 8000;
    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    /** Of servers that are not closed. */
    private static final Set<Path> HOMES = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(RealServer::endAll));
    }

    private final Path home;
    private final int port;
    private final List<String> command;
    private Process process;
    private boolean paused;

    /** Describes a server; {@code command} has its port already. */
    RealServer(Path home, int port, List<String> command) {
        this.home = home;
        this.port = port;
        this.command = new ArrayList<>(command);
        ServerScope.add(this);
    }

    /** Appends to the command. */
    final void add(String argument) {
        command.add(argument);
    }

    /** The folder of the server; its data are in {@code data}. */
    final Path home() {
        return home;
    }

    public final int port() {
        return port;
    }

    public final synchronized long pid() {
        return process.pid();
    }

    public final synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Returns the end of what the server printed, over all its starts. */
    public final String log() {
        try {
            String all = Files.exists(logFile()) ? TestFiles.read(logFile()) : "";
            return all.substring(Math.max(0, all.length() - LOG_TAIL));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the server with SIGKILL, as a crash would, and returns when the process is gone. */
    public final synchronized void kill9() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Shuts the server down in good order and returns when the process is gone. */
    public final synchronized void stop() {
        if (isRunning()) {
            resume();
            process.destroy();
            awaitExit();
        }
    }

    /** Starts the server again on its data and its port, after a clean stop if it still runs. */
    public final synchronized void restart() {
        stop();
        launch();
    }

    /** Copies the data while the server is down for a moment. */
    public final synchronized void saveData() {
        stop();
        replaceData("saved", "data");
        launch();
    }

    /** Puts the data back as they were saved. */
    public final synchronized void restoreData() {
        stop();
        replaceData("data", "saved");
        launch();
    }

    /** Copies the data while the server runs, as a backup or a replica that stopped would have them. */
    public final synchronized void copyData() {
        replaceData("saved", "data");
    }

    /** Kills the server, and starts it on the data as they were copied or saved. */
    public final synchronized void loseData() {
        kill9();
        replaceData("data", "saved");
        launch();
    }

    private void replaceData(String to, String from) {
        try {
            TestFiles.deleteTree(home.resolve(to));
            TestFiles.copyTree(home.resolve(from), home.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Freezes the server with SIGSTOP: connections stay open and the kernel accepts new ones, but nothing answers. */
    public final synchronized void pause() {
        signal("STOP");
        paused = true;
        // On a busy machine its threads run on for a moment.
        Await.until("the server stands still", this::standsStill);
    }

    /** Asks Linux for the state of each thread. Other systems are believed to stop at once. */
    private boolean standsStill() throws IOException {
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        if (!Files.isDirectory(threads)) {
            return true;
        }
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                String status = Files.readString(thread.resolve("stat"));
                if (status.charAt(status.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        }
        return true;
    }

    /** Lets a frozen server go on. */
    public final synchronized void resume() {
        if (paused) {
            signal("CONT");
            paused = false;
        }
    }

    /** Makes the server answer again, whatever a test that failed has left of it. */
    final synchronized void bringBack() {
        if (isRunning()) {
            resume();
        } else {
            launch();
        }
    }

    private static void endAll() {
        LIVE.forEach(Process::destroyForcibly);
        LIVE.forEach(process -> process.onExit().join());
        for (Path home : HOMES) {
            try {
                TestFiles.deleteTree(home);
            } catch (IOException e) {
                System.err.println("Not deleted: " + home);
            }
        }
    }

    /** Kills the server and deletes its folder. */
    @Override
    public final synchronized void close() {
        if (isRunning()) {
            kill9();
        }
        try {
            HOMES.remove(home);
            TestFiles.deleteTree(home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the process and waits, within a limit, until it greets a client. */
    final synchronized void launch() {
        try {
            process = new ProcessBuilder(command)
                    .directory(home.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        paused = false;
        Process started = process;
        LIVE.add(started);
        started.onExit().thenRun(() -> LIVE.remove(started));
        try {
            awaitGreeting(started);
        } catch (InterruptedException e) {
            started.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while starting " + command, e);
        } catch (IllegalStateException e) {
            started.destroyForcibly();
            throw e;
        }
    }

    private void awaitGreeting(Process started) throws InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!greets() || !started.isAlive()) {
            if (!started.isAlive()) {
                throw new IllegalStateException(command + " ended with " + started.exitValue() + ". Log:\n" + log());
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(command + " is not ready after " + START_LIMIT + ". Log:\n" + log());
            }
            Thread.sleep(20);
        }
    }

    /** Whether the server is ready for clients. */
    abstract boolean greets();

    private void awaitExit() {
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("Process " + process.pid() + " does not end. Its log:\n" + log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while stopping process " + process.pid(), e);
        }
    }

    private void signal(String name) {
        try {
            JavaProcess.signal(name, process.pid());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path logFile() {
        return home.resolve("server.log");
    }

    /** Makes the folder of a new server, with a copy of a template as its data. */
    static Path newHome(Path dir, Path template) {
        try {
            Path home = ServerFolders.next(dir);
            Files.createDirectories(home);
            HOMES.add(home);
            Files.createDirectory(home.resolve("tmp"));
            TestFiles.copyTree(template, home.resolve("data"));
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a folder for a server, as " + dir, e);
        }
    }
}
