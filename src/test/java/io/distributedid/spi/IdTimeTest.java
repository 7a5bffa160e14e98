package io.distributedid.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class IdTimeTest {

    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    private final IdTime millis = new IdTime(EPOCH, Duration.ofMillis(1), 41, 22);

    private final IdTime seconds = new IdTime(EPOCH, Duration.ofSeconds(1), 31, 22);

    @Test
    void theIdsOfAnInstantLieBetweenFloorAndCeiling() {
        Instant instant = EPOCH.plusMillis(5);

        assertThat(millis.floor(instant)).isEqualTo(5L << 22);
        assertThat(millis.ceiling(instant)).isEqualTo((6L << 22) - 1);
        assertThat(millis.instant(millis.floor(instant))).isEqualTo(instant);
        assertThat(millis.instant(millis.ceiling(instant))).isEqualTo(instant);
        assertThat(millis.ceiling(instant) + 1).isEqualTo(millis.floor(instant.plusMillis(1)));
    }

    @Test
    void anInstantWithinAUnitMeansTheWholeUnit() {
        assertThat(seconds.floor(EPOCH.plusMillis(1_999))).isEqualTo(1L << 22);
        assertThat(seconds.ceiling(EPOCH.plusMillis(1_000))).isEqualTo((2L << 22) - 1);
        assertThat(millis.floor(EPOCH.plusNanos(1_999_999))).isEqualTo(1L << 22);
    }

    @Test
    void anInstantOutsideOfTheTimeCountsAsTheNearestInside() {
        assertThat(millis.floor(Instant.MIN)).isZero();
        assertThat(millis.ceiling(Instant.MAX)).isEqualTo(Long.MAX_VALUE).isEqualTo(millis.maxId());
        assertThat(seconds.floor(Instant.MAX)).isEqualTo(((1L << 31) - 1) << 22);
    }

    @Test
    void widthsAndUnitAreChecked() {
        assertThatThrownBy(() -> new IdTime(EPOCH, Duration.ofMillis(1), 41, 23))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The time of an id must have 1 to 50 bits, and at most 63 together with the bits below it:"
                        + " bits=41 shift=23");
        assertThatThrownBy(() -> new IdTime(EPOCH, Duration.ofNanos(1_500_000), 41, 22))
                .hasMessage("The unit of an id's time must be whole milliseconds: unit=PT0.0015S");
    }
}
