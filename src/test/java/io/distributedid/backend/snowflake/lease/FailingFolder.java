package io.distributedid.backend.snowflake.lease;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** One access to a file fails, before or after it was done. */
final class FailingFolder implements Folder {

    @FunctionalInterface
    private interface Access<T> {

        T run() throws IOException;
    }

    private final Folder folder;

    private int left = Integer.MAX_VALUE;

    private boolean isDone;

    private boolean hasLinks = true;

    FailingFolder(Folder folder) {
        this.folder = folder;
    }

    /** @param after accesses that succeed */
    void failAfter(int after, boolean done) {
        left = after;
        isDone = done;
    }

    void withoutLinks() {
        hasLinks = false;
    }

    /** Whether the failing access was not reached. */
    boolean isUnharmed() {
        return left >= 0;
    }

    private <T> T access(Access<T> access) throws IOException {
        left--;
        if (left != -1) {
            return access.run();
        }
        if (isDone) {
            T unused = access.run();
        }
        throw new IOException("No space left on device");
    }

    @Override
    public Optional<byte[]> read(String name) throws IOException {
        return access(() -> folder.read(name));
    }

    @Override
    public void create(String name, byte[] content) throws IOException {
        access(() -> {
            folder.create(name, content);
            return "";
        });
    }

    @Override
    public boolean link(String file, String name) throws IOException {
        if (!hasLinks) {
            throw new UnsupportedOperationException("no links");
        }
        return access(() -> folder.link(file, name));
    }

    @Override
    public void rename(String file, String name) throws IOException {
        access(() -> {
            folder.rename(file, name);
            return "";
        });
    }

    @Override
    public void delete(String name) throws IOException {
        access(() -> {
            folder.delete(name);
            return "";
        });
    }

    @Override
    public void force() throws IOException {
        access(() -> {
            folder.force();
            return "";
        });
    }

    @Override
    public List<String> names() throws IOException {
        return folder.names();
    }
}
