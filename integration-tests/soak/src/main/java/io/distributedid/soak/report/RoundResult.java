package io.distributedid.soak.report;

import io.distributedid.soak.fault.Incident;
import io.distributedid.soak.ledger.CallAudit;
import io.distributedid.soak.ledger.CallAudit.Kind;
import io.distributedid.soak.ledger.IdAudit;
import io.distributedid.soak.ledger.OrderAudit;
import io.distributedid.soak.ledger.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a round showed.
 *
 * @param number from 1 on
 * @param topology its name
 * @param processes how many processes of applications there were
 * @param bound how late an id may be
 * @param ids judged by their values
 * @param order judged by their times
 * @param calls judged one by one
 * @param gaps by cause; empty if ids are not counted
 * @param incidents what happened
 * @param timeline by the second
 * @param failure why the round did not end as it should; empty if it did
 */
public record RoundResult(
        int number,
        String topology,
        int processes,
        Duration bound,
        IdAudit ids,
        OrderAudit order,
        CallAudit calls,
        Optional<Gaps> gaps,
        List<Incident> incidents,
        Timeline timeline,
        Optional<String> failure) {

    /** Whether what is promised was kept, and the round came to its end. */
    public boolean isGood() {
        return ids.duplicates() == 0 && order.violations() == 0 && calls.idsOfMisconfigured() == 0 && failure.isEmpty();
    }

    /** How many calls were refused. */
    public long refused(Kind kind) {
        return calls.refused(kind).values().stream().mapToLong(Long::longValue).sum();
    }
}
