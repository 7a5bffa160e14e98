package io.distributedid.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A server failed; from now on others do its work. */
@Name("io.distributedid.Failover")
@Label("Failover")
@Category("Distributed Ids")
@Description("A server of ids is left out, and others do its work")
@StackTrace(false)
final class FailoverEvent extends Event {

    @Label("Sequence")
    @Description("That noticed")
    @Nullable
    String seq;

    @Label("Server")
    @Nullable
    String server;

    @Label("Error")
    @Nullable
    String error;
}
