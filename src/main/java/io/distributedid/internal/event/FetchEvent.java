package io.distributedid.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A block was asked for, on a thread of our own. */
@Name("io.distributedid.Fetch")
@Label("Fetch")
@Category("Distributed Ids")
@Description("A block of ids was asked for")
@StackTrace(false)
final class FetchEvent extends Event {

    @Label("Sequence")
    @Nullable
    String seq;

    @Label("Server")
    @Description("That gave the block, or failed last")
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
}
