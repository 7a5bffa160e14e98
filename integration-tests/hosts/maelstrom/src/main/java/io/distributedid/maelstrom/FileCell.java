package io.distributedid.maelstrom;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A text in a file, for one process at a time. A replacement is on the disk before the call returns: it is written to a
 * second file, forced to the disk, and renamed. So whoever kills the process, the text is the old one or the new one.
 */
final class FileCell implements Cell {

    private final Path file;

    private final ReentrantLock lock = new ReentrantLock();

    private Optional<String> text;

    FileCell(Path file) throws IOException {
        this.file = file;
        this.text = content(file);
    }

    private static Optional<String> content(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> read() {
        lock.lock();
        try {
            return text;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean compareAndSet(Optional<String> expected, String next) throws IOException {
        lock.lock();
        try {
            if (!text.equals(expected)) {
                return false;
            }
            write(next);
            text = Optional.of(next);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void write(String next) throws IOException {
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(next.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder = FileChannel.open(file.toAbsolutePath().getParent())) {
            folder.force(true);
        }
    }

    @Override
    public String label() {
        return file.toString();
    }
}
