package io.distributedid.mysql;

import io.distributedid.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
     * @param main given the settings as text, then the arguments
     * @param log where its output goes
     */
    static FaultProcess start(Class<?> main, Path log, Map<String, String> settings, Object... arguments)
            throws IOException {
        Process process = JavaProcess.of("64m", main, settings, arguments)
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
    void pause() throws IOException {
        JavaProcess.signal("STOP", process.pid());
    }

    /** SIGCONT. */
    void resume() throws IOException {
        JavaProcess.signal("CONT", process.pid());
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
