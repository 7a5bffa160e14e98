package io.distributedid.backend.snowflake.lease;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The files beside a state file, named by their suffix: {@code 17} is {@code worker-7.17}. Each call is one atomic step
 * of the file system.
 */
interface Folder {

    /** Empty if there is no such file. */
    Optional<byte[]> read(String name) throws IOException;

    /** Writes a file that no other process uses, and forces it to the disk. Leaves no file if that fails. */
    void create(String name, byte[] content) throws IOException;

    /** Gives a file a second name. Returns false if the name is taken, or the file is gone. */
    boolean link(String file, String name) throws IOException;

    /** Renames a file, replacing the one with that name. Does nothing if the file is gone. */
    void rename(String file, String name) throws IOException;

    /** Does nothing if the file is gone. */
    void delete(String name) throws IOException;

    /** Forces the names to the disk. */
    void force() throws IOException;

    /** All names. May lack names that are created or deleted meanwhile. */
    List<String> names() throws IOException;
}
