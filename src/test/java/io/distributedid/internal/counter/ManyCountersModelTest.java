package io.distributedid.internal.counter;

import org.junit.jupiter.api.Tag;

/** More runs. The system property sets more yet. */
@Tag("slow")
@Tag("model")
class ManyCountersModelTest extends CounterModelTest {

    @Override
    protected long seeds() {
        return Long.getLong("distributedid.test.seeds", 60);
    }
}
