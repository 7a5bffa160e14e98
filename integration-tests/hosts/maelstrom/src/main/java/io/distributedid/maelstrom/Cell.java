package io.distributedid.maelstrom;

import java.io.IOException;
import java.util.Optional;

/** Holds one text, which is replaced by compare-and-set. Thread-safe. */
interface Cell {

    /** The text; empty if there is none yet. */
    Optional<String> read() throws IOException, InterruptedException;

    /**
     * Replaces the text atomically if it is as expected.
     *
     * @param expected the text as it was read; empty if there was none
     * @return whether it was replaced. If not, then not by this call now; but a request that was delivered twice may
     *     have replaced it before
     * @throws IOException if that is not known; it may also be replaced later
     */
    boolean compareAndSet(Optional<String> expected, String next) throws IOException, InterruptedException;

    /** Names it in messages. */
    String label();
}
