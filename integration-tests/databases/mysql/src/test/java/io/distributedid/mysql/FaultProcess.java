package io.distributedid.mysql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of a fault run, which ends in good order when its standard input does. */
final class FaultProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 300;

    private final Process process;

    private final Path log;

    private FaultProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a process.
     *
     * @param main its main class
     * @param log where its output goes
     * @param heap {@code -Xmx...}
     */
    static FaultProcess start(Class<?> main, Path log, String heap, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new FaultProcess(process, log);
    }

    /** In the process itself: does something at the end of its standard input. */
    static void atEndOfInput(Runnable work) {
        Thread reader = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {}
            } catch (IOException e) {
                e.printStackTrace();
            } finally {
                work.run();
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGSTOP. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        // A shell has kill built in.
        int exitCode = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .inheritIO()
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IOException("No signal " + name + " to process " + process.pid() + ": exitCode=" + exitCode);
        }
    }

    /** SIGKILL; returns when the process is gone. */
    void kill9() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Lets it end; returns its exit code. */
    int stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
