package io.distributedid.internal.failover;

import io.distributedid.internal.jdbc.FailureText;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The event of the Flight Recorder when a server fails and others take over. */
@Name("io.distributedid.Failover")
@Label("Failover")
@Category("Distributed Ids")
@Description("A server of ids is left out, and others do its work")
@StackTrace(false)
public final class FailoverEvent extends Event {

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

    /** Records that a server failed which a sequence took ids from, and that others take over. */
    public static void emit(String sequence, String server, Exception failure) {
        FailoverEvent event = new FailoverEvent();
        if (event.shouldCommit()) {
            event.seq = sequence;
            event.server = server;
            event.error = FailureText.of(failure);
            event.commit();
        }
    }
}
