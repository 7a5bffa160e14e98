package io.distributedid.backend.remote;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a process knows of a sequence as long as it runs. It outlives the servers and connections, which are new after
 * the process was suspended: a store that went back meanwhile is still noticed. Thread-safe.
 *
 * @param first null until a server has answered
 * @param lastStrict the largest id that came in strict order; 0 if none did
 */
record SequenceMemory(
        AtomicReference<@Nullable First> first, ExistingIds existing, RecentBlocks blocks, AtomicLong lastStrict) {

    /** The first answer with or without a token. */
    record First(String server, Optional<String> token) {}

    /** Of a sequence of which nothing is known. */
    static SequenceMemory empty() {
        return new SequenceMemory(new AtomicReference<>(), new ExistingIds(), new RecentBlocks(), new AtomicLong());
    }
}
