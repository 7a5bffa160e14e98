package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.KeyedBackend;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyedGateTest {

    private static final Sequence SEQUENCE = new Sequence(
            "messages",
            Long.MAX_VALUE,
            "test",
            Settings.of(Map.of("distributedid.block.timeout", "50ms")).forSequence("messages"));

    private final Periods periods = new Periods(before -> new Period(
            InstalledBackends.installed(), InstantSource.system(), Optional.empty(), new Listeners(), before));

    private final KeyedGate gate = new KeyedGate(periods, SEQUENCE);

    @AfterEach
    void close() {
        periods.close();
    }

    /** A copy that was made in between has the same number. */
    @Test
    void aNumberTakenBeforeASuspendIsDroppedAndAnotherOneTaken() {
        List<KeyedBackend> used = new ArrayList<>();
        int number = gate.take(System.nanoTime(), backend -> {
            used.add(backend);
            if (used.size() == 1) {
                periods.suspend(() -> {});
                assertThat(periods.resume()).isNotNull();
            }
            return used.size();
        });

        assertThat(number).isEqualTo(2);
        assertThat(used).doesNotHaveDuplicates();
    }

    @Test
    void nothingIsTakenWhileSuspended() {
        periods.suspend(() -> {});
        assertThatThrownBy(() -> gate.take(System.nanoTime(), backend -> 1))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("Ids are suspended: sequence 'messages' (test)");
        assertThatThrownBy(() -> gate.open(System.nanoTime()))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("Ids are suspended: sequence 'messages' (test)");
    }

    @Test
    void nothingIsTakenOnceClosed() {
        periods.close();
        assertThatThrownBy(() -> gate.take(System.nanoTime(), backend -> 1))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The source of ids is closed: sequence 'messages' (test)");
    }
}
