package io.distributedid.snowflake;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A file that says up to which id time a worker number may have been used, so that it outlives the process. Locked as long as it is
 * open. For one thread at a time.
 *
 * <p>It has two lines of a disk sector each, which are written in turns and forced to the disk: a crash in the middle leaves the other
 * one, and nobody has used a time that lies beyond it. The line with the higher number is the newer one:
 * <pre>{@code 17 worker=7 until=2026-11-21T11:59:10.026Z crc=1d2f3a4b}</pre>
 */
final class StateFile implements AutoCloseable {

    private static final Logger LOG = System.getLogger(StateFile.class.getName());

    private static final int LINE = 512;

    private static final Pattern FORMAT = Pattern.compile("([1-9][0-9]{0,17}) (.+) until=(\\S+) crc=[0-9a-f]{8}");

    private final Path path;

    private String owner;

    private final FileChannel channel;

    /** How often the file was written. */
    private long writes;

    private long until;

    private StateFile(Path path, String owner, FileChannel channel) {
        this.path = path;
        this.owner = owner;
        this.channel = channel;
    }

    /**
     * Locks the file, creating it if it is not there, and reads it.
     *
     * @param owner whose numbers they are: {@code worker=7}
     * @throws IdConfigurationException if the file can't be used, or is somebody else's
     * @throws IdUnavailableException if another process has it
     */
    static StateFile open(Path path, String owner) {
        try {
            FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                lock(path, channel);
                StateFile file = new StateFile(path, owner, channel);
                file.read();
                file.requireOwner(owner);
                return file;
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new IdConfigurationException(
                    "The state file can't be used: distributedid.snowflake.state_file=" + path + ": " + e, e);
        }
    }

    /** Closing the channel unlocks. */
    private static void lock(Path path, FileChannel channel) throws IOException {
        boolean locked;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            locked = false;
        }
        if (!locked) {
            throw new IdUnavailableException(
                    "The state file is in use: distributedid.snowflake.state_file=" + path
                            + ". No two processes, or persistence units, may have the same worker number, and each has a file of its own");
        }
    }

    private void read() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(2 * LINE);
        while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
            // Goes on.
        }
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        for (int begin = 0; begin < text.length(); begin += LINE) {
            read(text.substring(begin, Math.min(text.length(), begin + LINE)).stripTrailing());
        }
        if (writes == 0 && !text.isBlank()) {
            throw new IdConfigurationException(
                    "The state file can't be read: distributedid.snowflake.state_file=" + path
                            + ". If the clock is right, and no process of this worker number was ahead of it, delete the file");
        }
    }

    private void read(String line) {
        Matcher matcher = FORMAT.matcher(line);
        if (!matcher.matches() || !line.equals(line(matcher.group(1), matcher.group(2), matcher.group(3)))) {
            return;
        }
        long number = Long.parseLong(matcher.group(1));
        if (number > writes) {
            writes = number;
            until = Instant.parse(matcher.group(3)).toEpochMilli();
            owner = matcher.group(2);
        }
    }

    private static String line(String number, String owner, String until) {
        String content = number + " " + owner + " until=" + until;
        CRC32 crc = new CRC32();
        crc.update(content.getBytes(StandardCharsets.UTF_8));
        return content + String.format(Locale.ROOT, " crc=%08x", crc.getValue());
    }

    /**
     * @throws IdConfigurationException if it is another than that of the file
     */
    void requireOwner(String other) {
        if (!other.equals(owner)) {
            throw new IdConfigurationException(
                    "A state file must belong to one worker number: distributedid.snowflake.state_file=" + path
                            + " is of " + owner + ", asked for by " + other + ". Give it a file of its own");
        }
    }

    /** The first id time that nobody has used, empty if the file is new. */
    OptionalLong until() {
        return writes == 0 ? OptionalLong.empty() : OptionalLong.of(until);
    }

    /** Writes it down; returns when it is on the disk. */
    void write(long newUntil) throws IOException {
        long number = writes + 1;
        byte[] line = new byte[LINE];
        Arrays.fill(line, (byte) ' ');
        line[LINE - 1] = '\n';
        byte[] text = line(
                        Long.toString(number),
                        owner,
                        Instant.ofEpochMilli(newUntil).toString())
                .getBytes(StandardCharsets.UTF_8);
        System.arraycopy(text, 0, line, 0, text.length);
        ByteBuffer bytes = ByteBuffer.wrap(line);
        while (bytes.hasRemaining()) {
            channel.write(bytes, number % 2 * LINE + bytes.position());
        }
        channel.force(true);
        if (number == 1) {
            forceFolder();
        }
        writes = number;
        until = newUntil;
    }

    /** A new file is gone after a power failure unless its folder was forced as well; some systems can't, and needn't. */
    private void forceFolder() {
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null) {
            return;
        }
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A folder could not be forced to the disk: " + folder, e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /** Lets another process have it. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
