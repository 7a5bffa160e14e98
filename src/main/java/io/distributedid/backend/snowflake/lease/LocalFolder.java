package io.distributedid.backend.snowflake.lease;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
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

    private final Path folder;

    private final String prefix;

    private boolean canForce = true;

    /** @param file need not exist */
    LocalFolder(Path file) {
        folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        prefix = file.getFileName() + ".";
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
        try (FileOutputStream out = new FileOutputStream(path(name).toFile())) {
            out.write(content);
            out.getFD().sync();
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

    /** Does nothing on systems that can't force a folder, which do not need it. */
    @Override
    public void force() throws IOException {
        if (!canForce) {
            return;
        }
        FileChannel entries;
        try {
            entries = FileChannel.open(folder, StandardOpenOption.READ);
        } catch (IOException e) {
            canForce = false;
            LOG.log(Level.DEBUG, "This system does not force folders to the disk: " + folder, e);
            return;
        }
        try (entries) {
            entries.force(true);
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
