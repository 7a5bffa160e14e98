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
            RowRecord.of(1, 0, 1, 1, true),
            RowRecord.ofSingleServer(),
            RowRecord.of(RowRecord.FIRSTS - 1, RowRecord.TOKENS - 1, 999, 999, false),
            RowRecord.of(5, 17, 3, 2, true),
            RowRecord.ofTransactions(),
            new RowRecord(RowRecord.Way.GAPLESS, RowRecord.FIRSTS - 1, RowRecord.TOKENS - 1, 0, 0, true),
            RowRecord.SECTIONS
        }) {
            assertThat(RowRecord.parse(record.number(), "messages", "here")).isEqualTo(record);
        }
    }

    @Test
    void itsPartsAreDigits() {
        assertThat(RowRecord.of(5, 17, 2, 1, true).number()).isEqualTo(50_000_170_020_011L);
        assertThat(new RowRecord(RowRecord.Way.GAPLESS, 5, 17, 0, 0, true).number())
                .isEqualTo(50_000_170_000_002L);
        assertThat(RowRecord.SECTIONS.number()).isEqualTo(4);
    }

    /** A process takes it for the one that it knows only if it is that one. */
    @Test
    void noTwoAreTheSame() {
        assertThat(RowRecord.ofSingleServer()).isNotEqualTo(RowRecord.ofSingleServer());
        assertThat(RowRecord.ofTransactions()).isNotEqualTo(RowRecord.ofTransactions());
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                2,
                5,
                10_011,
                -50_000_170_020_011L,
                50_000_170_010_012L,
                50_000_170_010_014L,
                50_000_170_010_001L,
                50_000_170_010_021L,
                50_000_170_020_031L,
                9_000_000_000_000_010_011L
            })
    void anotherNumberIsRefused(long number) {
        assertThatThrownBy(() -> RowRecord.parse(number, "messages", "table=t on s"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The record of a sequence is not one of this library: seq=messages number=" + number
                        + " in the row ' @record', table=t on s. Restore that row. A newer release of the"
                        + " library may have written it");
    }
}
