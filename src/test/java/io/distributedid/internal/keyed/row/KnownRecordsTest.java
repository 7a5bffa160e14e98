package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownRecordsTest {

    private static final RowRecord RECORD = new RowRecord(RowRecord.Way.ROWS, 1);

    private static final RowRecord OTHER = new RowRecord(RowRecord.Way.ROWS, 2);

    private final KnownRecords records = new KnownRecords("table=keyed_sequence on db1", KnownRecords.Memory.NONE);

    @Test
    void aSequenceThatAnotherThreadBeginsDuringTheReadingIsNotLost() throws SQLException {
        assertThat(records.read("messages", sequence -> {
                    records.note(sequence, RECORD);
                    return Optional.empty();
                }))
                .isEmpty();
    }

    @Test
    void aMissingRecordThatWasKnownBeforeIsLost() {
        records.note("messages", RECORD);

        assertThatThrownBy(() -> records.read("messages", sequence -> Optional.empty()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("no record any more: seq=messages table=keyed_sequence on db1");
    }

    @Test
    void anotherRecordThanTheKnownOneIsRefused() {
        records.note("messages", RECORD);

        assertThatThrownBy(() -> records.read("messages", sequence -> Optional.of(OTHER)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("another record than before: seq=messages");
        assertThatThrownBy(() -> records.note("messages", OTHER))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("another record than before: seq=messages");
    }

    @Test
    void aFailedReadingTellsNothing() {
        assertThatThrownBy(() -> records.read("messages", sequence -> {
                    throw new SQLException("gone");
                }))
                .isInstanceOf(SQLException.class);
        records.note("messages", RECORD);
    }

    @Test
    void aRecordThatTheApplicationRemembersIsKnown() throws SQLException {
        KnownRecords fresh = new KnownRecords("table=keyed_sequence on db1", (sequence, record) -> Optional.of("11"));

        assertThat(fresh.read("messages", sequence -> Optional.of(RECORD))).contains(RECORD);
        assertThatThrownBy(() -> fresh.read("messages", sequence -> Optional.of(OTHER)))
                .hasMessageContaining("another record than before: seq=messages");
        assertThatThrownBy(() -> fresh.read("messages", sequence -> Optional.empty()))
                .hasMessageContaining("no record any more: seq=messages");
    }
}
