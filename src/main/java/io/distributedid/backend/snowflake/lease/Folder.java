package io.distributedid.backend.snowflake.lease;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The files beside a state file, by what follows its name and a dot: {@code 17} is {@code worker-7.17}. Each call is
 * one step of the file system's, which others see as a whole.
 */
interface Folder {

    /** Empty if there is no such file. */
    Optional<byte[]> read(String name) throws IOException;

    /** Writes a file that nobody else has, and forces it to the disk. */
    void create(String name, byte[] content) throws IOException;

    /**
     * Gives a file a second name.
     *
     * @return false if the name is taken, or the file is gone
     */
    boolean link(String file, String name) throws IOException;

    /** Gives a file another name, in place of the file that has it. Nothing is done if the file is gone. */
    void rename(String file, String name) throws IOException;

    /** Nothing is done if it is gone. */
    void delete(String name) throws IOException;

    /** Forces the names to the disk. */
    void force() throws IOException;

    /** All names, perhaps without those that come or go meanwhile. */
    List<String> names() throws IOException;
}
