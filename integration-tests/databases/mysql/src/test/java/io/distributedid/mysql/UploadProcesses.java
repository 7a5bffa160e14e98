package io.distributedid.mysql;

import io.distributedid.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Competing {@link Uploader} processes, and how far they have come together. */
final class UploadProcesses implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 300;

    private final List<Process> processes = new ArrayList<>();

    private final List<Integer> uploaded = new ArrayList<>();

    /** Starts one more. */
    void start(int photos, int threads, List<Map<String, String>> shards) throws IOException {
        List<String> command = JavaProcess.command("512m", Uploader.class.getName(), photos, threads);
        shards.forEach(shard -> command.add(Uploader.text(shard)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int place = processes.size();
        processes.add(process);
        uploaded.add(0);
        Thread reader = new Thread(() -> follow(place, process));
        reader.setDaemon(true);
        reader.start();
    }

    private void follow(int place, Process process) {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                progress(place, Integer.parseInt(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            progress(place, Integer.MAX_VALUE / 2);
        }
    }

    private synchronized void progress(int place, int photos) {
        uploaded.set(place, photos);
        notifyAll();
    }

    /** Returns when that many photos are uploaded, or a process has ended. */
    synchronized void awaitPhotos(int photos) throws InterruptedException {
        while (uploaded.stream().mapToInt(Integer::intValue).sum() < photos) {
            wait();
        }
    }

    /** Returns the exit codes, 0 for each process of which no persist() failed. */
    List<Integer> exitCodes() throws InterruptedException {
        List<Integer> codes = new ArrayList<>();
        for (Process process : processes) {
            codes.add(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1);
        }
        return codes;
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
