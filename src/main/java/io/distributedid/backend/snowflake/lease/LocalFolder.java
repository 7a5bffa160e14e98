package io.distributedid.backend.snowflake.lease;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A folder on a file system of this machine. */
final class LocalFolder implements Folder {

    private static final Logger LOG = System.getLogger(LocalFolder.class.getName());

    private static final int MOST_TRIES = 3;

    /** Opens a folder to force it. */
    @FunctionalInterface
    interface Opener {

        FileChannel open(Path folder) throws IOException;
    }

    private final Path folder;

    private final String prefix;

    private final Opener opener;

    /** Whether the file system has the folders of POSIX, which can be opened. */
    private final boolean isPosix;

    private boolean canForce = true;

    /** @param file need not exist */
    LocalFolder(Path file) {
        this(
                file,
                folder -> FileChannel.open(folder, StandardOpenOption.READ),
                file.getFileSystem().supportedFileAttributeViews().contains("posix"));
    }

    LocalFolder(Path file, Opener opener, boolean isPosix) {
        folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        prefix = file.getFileName() + ".";
        this.opener = opener;
        this.isPosix = isPosix;
    }

    Path path(String name) {
        return folder.resolve(prefix + name);
    }

    /** Not interruptible, since {@link FileInputStream} is not. */
    @Override
    public Optional<byte[]> read(String name) throws IOException {
        Path path = path(name);
        for (int tries = 1; ; tries++) {
            try (FileInputStream in = new FileInputStream(path.toFile())) {
                return Optional.of(in.readAllBytes());
            } catch (FileNotFoundException e) {
                if (Files.notExists(path) && Files.isDirectory(folder)) {
                    return Optional.empty();
                }
                // Another process may have created it meanwhile.
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void create(String name, byte[] content) throws IOException {
        Path path = path(name);
        try {
            try (FileOutputStream out = new FileOutputStream(path.toFile())) {
                out.write(content);
                out.getFD().sync();
            }
        } catch (IOException e) {
            // On a full disk, each try would leave a file.
            remove(path, e);
            throw e;
        }
    }

    private static void remove(Path path, IOException cause) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public boolean link(String file, String name) throws IOException {
        try {
            Files.createLink(path(name), path(file));
            return true;
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            return false;
        }
    }

    @Override
    public void rename(String file, String name) throws IOException {
        try {
            Files.move(path(file), path(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            LOG.log(Level.DEBUG, "Another process was faster to rename {0}", e.getMessage());
        }
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(path(name));
    }

    /** Does nothing where no folder can be opened, as on Windows. Any other failure is one of this call. */
    @Override
    public void force() throws IOException {
        if (!canForce) {
            return;
        }
        try (FileChannel entries = opener.open(folder)) {
            entries.force(true);
        } catch (AccessDeniedException e) {
            if (isPosix) {
                throw e;
            }
            canForce = false;
            LOG.log(
                    Level.INFO,
                    "This system can't force the names in a folder to the disk; its file system alone keeps them through"
                            + " a power failure: folder=" + folder);
        }
    }

    @Override
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.startsWith(prefix))
                    .map(name -> name.substring(prefix.length()))
                    .toList();
        }
    }
}
