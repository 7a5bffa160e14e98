package io.distributedid.hibernate.internal.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.junit.jupiter.api.Test;

/** What a failed flush leaves until the garbage collector takes its session. */
class FlushMemoryTest {

    @Test
    void theNumbersOfAFlushDoNotKeepItsSession() {
        assertThat(FlushNumbers.class.getDeclaredFields())
                .extracting(Field::getType)
                .noneMatch(SharedSessionContractImplementor.class::isAssignableFrom);
    }
}
