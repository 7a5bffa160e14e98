package io.distributedid.internal.block;

import io.distributedid.spi.Sequence;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A request for a block, in the flight recorder. */
@Name("io.distributedid.Fetch")
@Label("Fetch")
@Category("Distributed Ids")
@Description("A block of ids was asked for")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // The flight recorder reads them.
final class FetchEvent extends Event {

    @Label("Sequence")
    @Nullable
    String seq;

    @Label("Server")
    @Description("The server that gave the block, or failed last")
    @Nullable
    String server;

    @Label("Wanted")
    @Description("How many ids")
    long wanted;

    @Label("Got")
    @Description("How many ids")
    long got;

    @Label("Error")
    @Nullable
    String error;

    static FetchEvent begun() {
        FetchEvent event = new FetchEvent();
        event.begin();
        return event;
    }

    void record(Sequence sequence, BlockRequest answered, @Nullable ReservedIds ids, @Nullable Throwable failure) {
        end();
        if (shouldCommit()) {
            seq = sequence.name();
            server = answered.source().server();
            wanted = answered.wanted();
            got = ids == null ? 0 : ids.count();
            error = failure == null ? null : failure.toString();
            commit();
        }
    }
}
