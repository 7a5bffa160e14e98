package io.distributedid.internal.keyed.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.LedgerMemory;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a sequence of sections begins, and what is a loss. */
class SectionRowsTest {

    private static final String HEADER = "@keyed/messages";

    private final MemorySectionStore store = new MemorySectionStore();

    private SectionRows rows(int sections) {
        return rows(store, sections);
    }

    private static SectionRows rows(SectionStore store, int sections) {
        return new SectionRows(store, "messages", sections, new LedgerMemory(), Platform.JVM);
    }

    private Row header() {
        return store.rows.get(HEADER);
    }

    @Test
    void theHeaderIsOpenedOnceAllRowsAndTheMarkAreThere() throws Exception {
        assertThat(rows(3).read(List.of()).rows().keySet())
                .containsExactlyInAnyOrder(HEADER, HEADER + "/0", HEADER + "/1", HEADER + "/2");
        assertThat(header().state()).isEqualTo(Row.State.OPEN);
        assertThat(header().number()).isEqualTo(3);
        assertThat(header().version().count()).isEqualTo(2);
        assertThat(store.isMarked).isTrue();
        assertThat(store.section(2).number()).isZero();
    }

    /** Of three writes: the header, the sections, and the header's opening. */
    @Test
    void anyProcessGoesOnWhereAnotherStopped() throws Exception {
        for (int stop = 0; stop < 3; stop++) {
            MemorySectionStore begun = new MemorySectionStore();
            SectionRows first = rows(begun, 3);
            begun.mostWrites = stop;
            assertThatThrownBy(() -> first.read(List.of())).isInstanceOf(SQLException.class);
            begun.mostWrites = Integer.MAX_VALUE;
            SectionRows second = rows(begun, 3);
            Row opened = second.read(List.of()).row(HEADER);

            assertThat(opened.state()).as("stopped after %s writes", stop).isEqualTo(Row.State.OPEN);
            begun.doDelayed();
            assertThat(second.read(List.of()).row(HEADER)).isEqualTo(opened);
        }
    }

    @Test
    void aSequenceThatIsNumberedInAnotherWayIsNotOpened() {
        store.isRows = true;

        assertThatThrownBy(() -> rows(3).read(List.of())).isInstanceOf(IdConfigurationException.class);
        assertThat(store.rows).isEmpty();
    }

    @Test
    void anotherNumberOfSectionsIsRefusedAlsoBeforeAllRowsAreThere() throws Exception {
        store.rows.put(
                HEADER, new Row(HEADER, Version.first("t"), 5, Row.State.NEW, Fields.NONE.with(Fields.TOKEN, "t")));

        assertThatThrownBy(() -> rows(3).read(List.of()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("is recorded with 5, but distributedid.keyed.section.sections=3. Set it to 5");
        assertThat(rows(5).read(List.of()).rows()).hasSize(6);
    }

    @Test
    void aMissingRowIsALossAlsoToAProcessThatHasJustStarted() throws Exception {
        rows(3).read(List.of());
        store.rows.remove(HEADER + "/1");
        assertLost(rows(3), "row=@keyed/messages/1 is missing");

        store.rows.remove(HEADER);
        assertLost(rows(3), "row=@keyed/messages is missing");
        assertThat(store.rows).as("nothing is written").hasSize(2);
    }

    private static void assertLost(SectionRows rows, String what) {
        assertThatThrownBy(() -> rows.read(List.of()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("The store of a sequence has lost rows, or was set back, and numbers could"
                        + " repeat: " + what)
                .hasMessageContaining(", seq=messages, memory. No numbers are given. Restore the newest rows, or"
                        + " continue above all numbers that were given" + Pages.onCall("keyed-sections-lost"));
    }

    @Test
    void aRowThatWasSetBackIsALossToWhoeverKnewIt() throws Exception {
        SectionRows rows = rows(1);
        Row first = rows.read(List.of()).row(HEADER + "/0");
        Change raise = Change.replace(first, "raised", 10_000, Row.State.NONE, Fields.NONE);
        assertThat(rows.write(List.of(raise))).isEqualTo(Set.of(HEADER + "/0"));

        store.rows.put(first.name(), first);
        assertLost(
                rows,
                "row=@keyed/messages/0 version=" + first.version() + " number=0, it was version=2-raised"
                        + " number=10000");
        store.rows.put(first.name(), raise.next());
        assertThat(rows.read(List.of()).row(first.name())).isEqualTo(raise.next());
    }

    @Test
    void anotherTokenIsAnotherStore() throws Exception {
        SectionRows rows = rows(1);
        rows.read(List.of());
        store.rows.clear();
        store.isMarked = false;
        rows(1).read(List.of());

        assertThatThrownBy(() -> rows.read(List.of()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("The store of a sequence is not the same as before, or was emptied and reused:"
                        + " seq=messages, memory, row=@keyed/messages");
    }

    @Test
    void rowsOfOthersAreReadTooAndMayBeMissing() throws Exception {
        assertThat(rows(1).read(List.of("@keyed/messages/member/0")).rows()).hasSize(2);
    }
}
