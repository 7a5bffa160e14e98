package io.distributedid.soak.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.soak.ledger.CallAudit.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallAuditTest {

    private static final long SECOND = 1_000_000_000;

    private final CallAudit audit = new CallAudit(
            entry -> Kind.values()[entry.process()], (process, reason) -> "reason " + reason + " of " + process);

    @Test
    void refusedCallsAreCountedByTheirReasonAndByWhatWasUp() {
        List.of(
                        Entry.refused(0, 1, 0, 0),
                        Entry.refused(0, 1, 0, 0),
                        Entry.refused(0, 1, 1, 0),
                        Entry.refused(0, 1, 0, 1),
                        Entry.refused(0, 1, 0, 2))
                .forEach(audit::judge);

        assertThat(audit.entries()).isEqualTo(5);
        assertThat(audit.refused(Kind.SERVER_UP)).isEqualTo(Map.of("reason 0 of 0", 2L, "reason 1 of 0", 1L));
        assertThat(audit.refused(Kind.SERVER_DOWN)).isEqualTo(Map.of("reason 0 of 1", 1L));
        assertThat(audit.refused(Kind.MISCONFIGURED)).isEqualTo(Map.of("reason 0 of 2", 1L));
    }

    @Test
    void idsInSpiteOfWrongSettingsAreCounted() {
        audit.judge(new Entry(0, 1, 1, 1, 7, 2));
        audit.judge(new Entry(0, 1, 8, 1, 5, 1));

        assertThat(audit.idsOfMisconfigured()).isEqualTo(7);
    }

    @Test
    void theLongestCallIsThatOfOneThatGotIds() {
        audit.judge(new Entry(0, 2 * SECOND, 1, 1, 1, 0));
        audit.judge(new Entry(0, 7 * SECOND, 2, 1, 1, 1));
        audit.judge(Entry.refused(0, 10 * SECOND, 0, 0));

        assertThat(audit.longest()).isEqualTo(Duration.ofSeconds(7));
        assertThat(audit.longestWhileUp()).isEqualTo(Duration.ofSeconds(2));
    }
}
