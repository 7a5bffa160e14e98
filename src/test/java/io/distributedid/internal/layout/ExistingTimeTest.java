package io.distributedid.internal.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an existing id says of the layout and the epoch. */
class ExistingTimeTest {

    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private static final String JS53 = "time(s):31, worker:8, sequence:14";

    private static final long LARGEST = (1L << 53) - 1;

    private static ExistingTime existing(long id) {
        return new ExistingTime(photos(Long.MAX_VALUE), id, LayoutParser.parse(JS53, EPOCH), NOW);
    }

    private static Sequence photos(long largest) {
        return new Sequence("photos", largest, "Photo.id", Settings.of(Map.of()));
    }

    @Test
    void anIdFitsItsBitsToTheLast() {
        assertThat(existing(0).fits()).isTrue();
        assertThat(existing(LARGEST).fits()).isTrue();
        assertThat(existing(-1).fits()).isFalse();
        assertThat(existing(LARGEST + 1).fits()).isFalse();
        assertThat(existing(LARGEST + 1).epochBelow()).isEmpty();
    }

    @Test
    void theEpochThatIsProposedMakesNewIdsLarger() {
        long tick = Duration.between(EPOCH, NOW.plus(Duration.ofDays(1_000))).toSeconds();
        ExistingTime existing = existing(tick << 22);

        Instant proposed = existing.epochBelow().orElseThrow();

        assertThat(existing.tick()).isEqualTo(tick);
        assertThat(existing.ahead()).isEqualTo(Duration.ofDays(1_000));
        assertThat(proposed).isEqualTo(Instant.parse("2021-04-05T00:00:00Z"));
        assertThat(LayoutParser.parse(JS53, proposed).tick(NOW.toEpochMilli())).isGreaterThan(tick);
        assertThat(existing.epochAdvice("epoch")).contains("epoch=2021-04-05T00:00:00Z or earlier");
        assertThat(existing)
                .hasToString("seq=photos id=" + (tick << 22)
                        + " time=2029-08-17T12:00:00Z, clock=2026-11-21T12:00:00Z, layout=" + existing.layout());
    }

    @Test
    void noEpochIsProposedThatLeavesLessThanAYear() {
        ExistingTime last = existing(LARGEST);

        assertThat(last.epochBelow()).isEmpty();
        assertThat(last.epochAdvice("epoch")).startsWith("No epoch makes new ids larger and leaves a year");
        assertThat(existing(-1)).hasToString("seq=photos id=-1, layout=" + last.layout());
    }

    @Test
    void aColumnMustStoreTheLargestId() {
        IdLayout layout = LayoutParser.parse(JS53, EPOCH);

        assertThatCode(() -> layout.requireFit(photos(LARGEST), "Widen it")).doesNotThrowAnyException();
        assertThatThrownBy(() -> layout.requireFit(photos(LARGEST - 1), "Widen it"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The ids of a layout must fit: ")
                .hasMessageEndingWith(" stores up to 9007199254740990, the layout gives up to 9007199254740991: "
                        + layout + ". Widen it");
    }
}
