package io.distributedid.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A caller found no id, and waited for a block, the clock or a window. */
@Name("io.distributedid.Wait")
@Label("Wait")
@Category("Distributed Ids")
@Description("A caller waited for an id")
@Threshold("1 ms")
final class WaitEvent extends Event {

    @Label("Sequence")
    @Nullable
    String seq;
}
