package io.distributedid.simulation;

import io.distributedid.internal.counter.Numbering;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import java.util.List;

/** What differs between kinds of counters: what servers store, the backend, and what operators do. */
interface Kind {

    Content empty();

    /** Of another id space, whose counters have given ids. */
    Content foreign(Setup setup, Numbering numbering, long last, String identity);

    /** Whether all counters were created. */
    boolean isUsed(Setup setup, Content content);

    Backend backend(Scene scene, BackendContext context, List<Address> addresses, Host host);

    /** Whether a replica may take a server's place: somebody notices what it lacks. */
    boolean mayTakeOver(Scene scene, MemoryServer server, Content replica);

    /** An operator repairs a sequence. Returns whether that succeeded, or will never. */
    boolean repair(Scene scene, String sequence, long above, int attempts);
}
