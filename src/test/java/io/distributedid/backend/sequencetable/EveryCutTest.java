package io.distributedid.backend.sequencetable;

import org.junit.jupiter.api.Tag;

/** Moves that are cut off at each of their calls to a server. */
@Tag("slow")
@Tag("model")
class EveryCutTest extends H2SequenceTableMoveTest {

    @Override
    protected int every() {
        return 1;
    }
}
