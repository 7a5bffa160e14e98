package io.distributedid.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;
import org.jspecify.annotations.Nullable;

/** A window of time was granted, or prolonged. */
@Name("io.distributedid.Window")
@Label("Window")
@Category("Distributed Ids")
@Description("A worker number was leased, or its window prolonged")
@StackTrace(false)
final class WindowEvent extends Event {

    @Label("Worker")
    long worker;

    @Label("From")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long from;

    @Label("Until")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long until;

    @Label("Store")
    @Nullable
    String store;
}
