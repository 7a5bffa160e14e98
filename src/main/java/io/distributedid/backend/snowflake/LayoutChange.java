package io.distributedid.backend.snowflake;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.lease.LeaseRunner;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.lease.StoreOperator.Changed;
import io.distributedid.internal.lease.StoreOperator.NewText;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.process.Pages;
import java.time.Instant;
import java.util.Optional;

/**
 * The layout that a store records for a sequence: the first process writes it. Gives it another one, whose ids are all
 * larger than those of the old one. For one run of the command.
 */
final class LayoutChange implements NewText {

    /** The field of the row that holds the layout. */
    static final String LAYOUT = "layout";

    private final String sequence;

    private final IdLayout next;

    private final boolean allStopped;

    private final String label;

    /** No id has this time or a later one. */
    private long used;

    /**
     * @param allStopped whether the operator states that no process with a single-use number runs
     * @param label names the store
     */
    LayoutChange(String sequence, IdLayout next, boolean allStopped, String label) {
        this.sequence = sequence;
        this.next = next;
        this.allStopped = allStopped;
        this.label = label;
    }

    /**
     * Requires that all processes with the same store use the same layout and epoch for a sequence. Otherwise different
     * processes would make the same ids.
     *
     * @throws IdConfigurationException if another layout is recorded
     */
    static void require(LeaseRunner runner, String sequence, IdLayout layout) {
        String recorded = runner.layout(sequence, Fields.NONE.with(LAYOUT, layout.text()))
                .text()
                .get(LAYOUT)
                .orElse("");
        if (!recorded.equals(layout.text())) {
            throw new IdConfigurationException(
                    "A sequence must keep its layout and epoch, or different processes make the same"
                            + " ids: seq=" + sequence + " layout=" + layout.text() + ", but " + runner.label()
                            + " records " + recorded
                            + ". Set distributedid.snowflake.layout and distributedid.snowflake.epoch as before; or, if"
                            + " this is another sequence, give it another name; or, to change the layout, stop all"
                            + " processes and run: distributedid change-layout " + sequence
                            + Pages.onCall("layout"));
        }
    }

    @Override
    public Changed of(StoreHeader header, Fields before, long unused, long time) {
        String recorded = before.get(LAYOUT).orElse("");
        if (recorded.equals(next.text())) {
            return new Changed(before, 0);
        }
        IdLayout old = LayoutParser.parse(recorded);
        if (header.burnt() > 0 && used == 0) {
            // The processes with these numbers had stopped when the command began.
            used = singleUse(header, old, time);
        }
        used = Math.max(used, unused);
        return new Changed(before.with(LAYOUT, next.text()), from(old, time - header.skew()));
    }

    private long singleUse(StoreHeader header, IdLayout old, long time) {
        if (!allStopped) {
            throw new IdConfigurationException("The windows of single-use numbers have no end: seq=" + sequence + " in "
                    + label + ". Once all their owners are stopped, add --all-stopped" + Pages.onCall("single-use"));
        }
        return time
                + header.skew()
                + LeaseSettings.MOST_AHEAD.plus(old.time().unit()).toMillis();
    }

    /**
     * When new ids may begin: now, or when the times of old ones are over.
     *
     * @param now the earliest clock of a process
     */
    private long from(IdLayout old, long now) {
        long largest = old.time().ceiling(Instant.ofEpochMilli(used));
        if (next.time().floor(Instant.ofEpochMilli(now)) > largest) {
            return now;
        }
        Instant over =
                Instant.ofEpochMilli(Math.max(now, used + old.time().unit().toMillis()));
        if (next.time().floor(over) > largest) {
            return over.toEpochMilli();
        }
        throw new IdConfigurationException(
                "All ids of the new layout must be larger than those of the old one: seq=" + sequence
                        + " old=" + old.text() + " new=" + next.text() + "; old ids go up to " + largest
                        + ", new ids would begin at " + next.time().floor(over) + ". "
                        + earlierEpoch(largest, over)
                                .map(epoch -> "Set distributedid.snowflake.epoch=" + epoch + " or earlier")
                                .orElse("No epoch achieves that: choose a layout with more bits below its time, or with"
                                        + " more bits altogether")
                        + Pages.onCall("layout"));
    }

    /** The latest epoch that makes the new ids larger; empty if the layout would have run out of time. */
    private Optional<Instant> earlierEpoch(long largest, Instant first) {
        long ticks = (largest >> next.time().shift()) + 2;
        return ticks > next.time().maxTick()
                ? Optional.empty()
                : Optional.of(first.minusMillis(ticks * next.time().unit().toMillis()));
    }
}
