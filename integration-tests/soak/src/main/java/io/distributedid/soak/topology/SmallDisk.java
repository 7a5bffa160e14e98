package io.distributedid.soak.topology;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A small file system of its own, in memory, which can be filled. Only root may have one. */
final class SmallDisk implements AutoCloseable {

    private static final int CHUNK = 1 << 16;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one; empty if that is not allowed here. */
    static Optional<SmallDisk> mount(Path folder, int megabytes) throws IOException {
        Files.createDirectories(folder);
        if (run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", folder.toString()) != 0) {
            return Optional.empty();
        }
        SmallDisk disk = new SmallDisk(folder.toAbsolutePath());
        Runtime.getRuntime().addShutdownHook(new Thread(disk::unmount));
        return Optional.of(disk);
    }

    private static int run(String... command) throws IOException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } catch (IOException e) {
            // No such program.
            return -1;
        }
    }

    Path folder() {
        return folder;
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    /** Leaves no room. */
    void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(ballast())) {
            byte[] chunk = new byte[CHUNK];
            while (true) {
                out.write(chunk);
            }
        } catch (IOException e) {
            if (Files.getFileStore(folder).getUsableSpace() > CHUNK) {
                throw e;
            }
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private void unmount() {
        try {
            run("umount", "-l", folder.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        unmount();
    }
}
