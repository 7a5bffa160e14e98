package io.distributedid.mysql;

import io.distributedid.mysql.IdTaker.Field;
import io.distributedid.mysql.IdTaker.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** One of the nodes of a fault run: {@link IdTaker} processes, one after the other. */
final class WorkerFaultNode implements AutoCloseable {

    private final Path folder;

    private final int number;

    private final Map<String, String> settings;

    /** Each process of any node has a number of its own. */
    private final AtomicInteger runs;

    private final FaultBoard<Field> board;

    private final long rightOffsetMillis;

    private FaultProcess process;

    private boolean meantToRun;

    /**
     * Starts nothing yet.
     *
     * @param rightOffsetMillis how far its clock is from the store's even while it is right
     */
    WorkerFaultNode(Path folder, int number, Map<String, String> settings, AtomicInteger runs, long rightOffsetMillis) {
        this.folder = folder;
        this.number = number;
        this.settings = settings;
        this.runs = runs;
        this.rightOffsetMillis = rightOffsetMillis;
        board = IdTaker.board(folder);
        shiftClock(0);
    }

    void start() throws IOException {
        int run = runs.incrementAndGet();
        process = FaultProcess.start(
                IdTaker.class, folder.resolve("node" + number + "-" + run + ".log"), settings, folder, number, run);
        meantToRun = true;
    }

    void pause() throws IOException, InterruptedException {
        process.pause();
    }

    void resume() throws IOException, InterruptedException {
        process.resume();
    }

    /** It goes on, and learns at once that it was resumed. */
    void resumeAnew() throws IOException, InterruptedException {
        board.count(number, Field.SNAPSHOTS);
        process.resume();
    }

    void kill9() throws InterruptedException {
        meantToRun = false;
        process.kill9();
    }

    /** Fails if the process did. */
    void stop() throws IOException, InterruptedException {
        meantToRun = false;
        int exitCode = process.stop();
        if (exitCode != 0) {
            throw new AssertionError(this + " has failed: exitCode=" + exitCode + "\n" + process.log());
        }
    }

    String log() throws IOException {
        return process.log();
    }

    /** Fails if the process has ended by itself. */
    void requireAlive() throws IOException {
        if (meantToRun && !process.isAlive()) {
            throw new AssertionError(this + " has ended\n" + process.log());
        }
    }

    /** Sets the clock, of the process that runs and of those that will: 0 is right. */
    void shiftClock(long millis) {
        board.set(number, Field.CLOCK_OFFSET_MILLIS, rightOffsetMillis + millis);
    }

    /** How many ids it was given, over all its processes. */
    long ids(Load load) {
        return board.get(number, load.ids);
    }

    @Override
    public String toString() {
        return "node" + number;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
