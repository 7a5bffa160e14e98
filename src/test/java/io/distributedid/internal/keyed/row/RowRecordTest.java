package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.keyed.row.RowRecord.Way;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowRecordTest {

    @Test
    void aRecordIsReadAsItWasWritten() {
        for (RowRecord record : new RowRecord[] {
            RowRecord.random(Way.ROWS, Platform.JVM),
            RowRecord.random(Way.GAPLESS, Platform.JVM),
            new RowRecord(Way.ROWS, 1),
            new RowRecord(Way.GAPLESS, RowRecord.TOKENS - 1),
            RowRecord.SECTIONS
        }) {
            assertThat(RowRecord.parse(record.number(), record.way(), "messages", "here"))
                    .isEqualTo(record);
        }
    }

    @Test
    void theLastDigitIsTheWay() {
        assertThat(new RowRecord(Way.ROWS, 17).number()).isEqualTo(171);
        assertThat(new RowRecord(Way.GAPLESS, 17).number()).isEqualTo(172);
        assertThat(RowRecord.SECTIONS.number()).isEqualTo(3);
    }

    /** A process takes it for the one that it knows only if it is that one. */
    @Test
    void noTwoAreTheSame() {
        assertThat(RowRecord.random(Way.ROWS, Platform.JVM)).isNotEqualTo(RowRecord.random(Way.ROWS, Platform.JVM));
        assertThat(RowRecord.random(Way.GAPLESS, Platform.JVM))
                .isNotEqualTo(RowRecord.random(Way.GAPLESS, Platform.JVM));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 4, 10, 13, 170, 174, -171, -3, 9_000_000_000_000_000_001L, Long.MAX_VALUE})
    void anotherNumberIsRefused(long number) {
        assertThatThrownBy(() -> RowRecord.parse(number, Way.ROWS, "messages", "table=t on s"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The record of a sequence is not one of this library: seq=messages number=" + number
                        + " in the row ' @record', table=t on s. Restore that row. A newer release of the"
                        + " library may have written it" + Pages.onCall("keyed-lost"));
    }
}
