package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowRecordTest {

    @Test
    void aRecordIsReadAsItWasWritten() {
        for (RowRecord record : new RowRecord[] {
            RowRecord.of(0, 0, 1, 1, true),
            RowRecord.of(RowRecord.FIRSTS - 1, RowRecord.TOKENS - 1, 999, 999, false),
            RowRecord.of(5, 17, 3, 2, true),
            RowRecord.GAPLESS,
            RowRecord.SECTIONS
        }) {
            assertThat(RowRecord.parse(record.number(), "messages", "here")).isEqualTo(record);
        }
    }

    @Test
    void theRecordsOfASingleServerAndOfOtherWaysAreShort() {
        assertThat(RowRecord.of(0, 0, 1, 1, true).number()).isEqualTo(10_011);
        assertThat(RowRecord.GAPLESS.number()).isEqualTo(2);
        assertThat(RowRecord.SECTIONS.number()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 5, -10_011, 10_012, 10_001, 10_021, 20_031, 9_000_000_000_000_010_011L})
    void anotherNumberIsRefused(long number) {
        assertThatThrownBy(() -> RowRecord.parse(number, "messages", "table=t on s"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The record of a sequence is not one of this library: seq=messages number=" + number
                        + " in the row with the empty key, table=t on s. Restore that row. A newer release of the"
                        + " library may have written it");
    }
}
