package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Gives a sequence another layout or epoch once nobody makes ids with the old one. For one thread.
 *
 * <p><b>Protocol.</b> Every step is a compare-and-set, and the whole is repeated after a crash.
 *
 * <ol>
 *   <li>All rows are read: no number may be leased. All ids of the new layout from now on must be larger than all of
 *       the old one.
 *   <li>The sequence's record becomes {@code OLD changes to NEW}: whoever starts with either is refused.
 *   <li>The store's own record gets a new number of {@linkplain StoreRecord#changes changes}: whoever slept since
 *       before is refused when it asks for a window.
 *   <li>It waits for the longest window and two skews of the clocks. A request that was on its way asks for a window
 *       that was computed before, and is over by then.
 *   <li>All rows are read again: if a number is leased after all, the record becomes {@code OLD} again.
 *   <li>The sequence's record becomes {@code NEW}.
 * </ol>
 */
final class LayoutChange {

    private static final String ARROW = " changes to ";

    private final WorkerStore store;

    private final LeaseTerms terms;

    private final String sequence;

    /** Whether an operator says that no process runs that has a number without an end. */
    private final boolean allStopped;

    LayoutChange(WorkerStore store, LeaseTerms terms, String sequence, boolean allStopped) {
        this.store = store;
        this.terms = terms;
        this.sequence = sequence;
        this.allStopped = allStopped;
    }

    /**
     * Changes it.
     *
     * @return the layout that was recorded before, as text
     * @throws IdConfigurationException if the new layout is not larger, or a number is leased
     * @throws IdUnavailableException if the store failed; to be repeated
     */
    String run(IdLayout next) {
        try {
            return change(next);
        } catch (WorkerStoreException e) {
            throw new IdUnavailableException(
                    "The layout of a sequence was not changed: seq=" + sequence + ". " + e.getMessage()
                            + ". Repeat the command",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while changing a layout: seq=" + sequence, e);
        }
    }

    private String change(IdLayout next) throws WorkerStoreException, InterruptedException {
        String recorded = store.record(sequence)
                .orElseThrow(() -> new IdConfigurationException(
                        "No layout is recorded of the sequence: seq=" + sequence + " in " + store.label()
                                + ". It is recorded when the first process starts; nothing need be changed"));
        String old = recorded.split(ARROW, 2)[0];
        if (old.equals(next.text())) {
            set(recorded, old);
            return old;
        }
        StoreSnapshot snapshot = requireNothingLeased();
        requireLarger(LayoutParser.parse(old), next, snapshot, wait(known(snapshot)));
        String changing = old + ARROW + next.text();
        set(recorded, changing);
        Thread.sleep(wait(announce()));
        try {
            requireNothingLeased();
        } catch (IdConfigurationException e) {
            set(changing, old);
            throw e;
        }
        set(changing, next.text());
        return old;
    }

    private void set(String expected, String next) throws WorkerStoreException, InterruptedException {
        if (!expected.equals(next) && !store.compareAndSetRecord(sequence, expected, next)) {
            throw new IdUnavailableException("Somebody else changes the layout of the sequence: seq=" + sequence
                    + " in " + store.label() + ". Repeat the command");
        }
    }

    /** How many milliseconds later everything is over that was granted or asked for. */
    private long wait(StoreRecord known) {
        return TimeUnit.NANOSECONDS.toMillis(terms.overNanos(known.window())) + 1;
    }

    private StoreRecord known(StoreSnapshot snapshot) throws WorkerStoreException {
        return StoreRecord.parse(snapshot.record())
                .orElseGet(() -> StoreRecord.first(
                        UUID.randomUUID().toString(),
                        snapshot.storeTime(),
                        terms.protocol().windowMillis()));
    }

    /** Returns what the store says of itself from now on. */
    private StoreRecord announce() throws WorkerStoreException, InterruptedException {
        while (true) {
            StoreSnapshot snapshot = store.read(0, 0);
            StoreRecord known = known(snapshot);
            if (known.state() != StoreRecord.State.SETTLED) {
                throw new IdConfigurationException(
                        "No layout can be changed while worker numbers move: " + store.label() + " state="
                                + known.state() + ". End the move first: distributedid move-workers " + sequence);
            }
            StoreRecord changed = known.changed();
            if (store.compareAndSetRecord(WorkerStore.OWN_RECORD, snapshot.record(), changed.text())) {
                return changed;
            }
        }
    }

    /** Returns all rows. */
    private StoreSnapshot requireNothingLeased() throws WorkerStoreException, InterruptedException {
        StoreSnapshot snapshot = store.read(0, Long.MAX_VALUE);
        List<WorkerRow> open = snapshot.held().stream()
                .filter(row -> !(allStopped && row.reservedUntil() == Long.MAX_VALUE))
                .toList();
        if (!open.isEmpty()) {
            String owners = open.stream()
                    .limit(20)
                    .map(row -> row.worker() + " by " + row.owner())
                    .collect(Collectors.joining("; "));
            String singleUse = open.stream().anyMatch(row -> row.reservedUntil() == Long.MAX_VALUE)
                    ? ". Burnt numbers have no end: once all their owners are stopped, say so (--all-stopped)"
                    : "";
            throw new IdConfigurationException("The layout of a sequence can be changed only while no worker number is"
                    + " leased: seq=" + sequence + ", " + open.size() + " are in " + store.label() + ": " + owners
                    + ". Stop these processes, wait until the windows of those that were killed are over, and repeat the"
                    + " command" + singleUse);
        }
        return snapshot;
    }

    /** The new ids begin after the wait. */
    private void requireLarger(IdLayout old, IdLayout next, StoreSnapshot snapshot, long wait) {
        long skew = terms.maxClockSkew().toMillis();
        long unused = snapshot.rows().stream()
                .mapToLong(WorkerRow::reservedUntil)
                .filter(until -> until != Long.MAX_VALUE)
                .reduce(snapshot.storeTime(), Math::max);
        long largest = old.time().ceiling(Instant.ofEpochMilli(unused + skew));
        Instant first = Instant.ofEpochMilli(snapshot.storeTime() + wait - skew);
        if (next.time().floor(first) > largest) {
            return;
        }
        throw new IdConfigurationException(
                "All ids of the new layout must be larger than those of the old one: seq=" + sequence
                        + " old=" + old.text() + " new=" + next.text() + "; the old one's go up to " + largest
                        + ", the new one's would begin at " + next.time().floor(first) + ". "
                        + earlierEpoch(next, largest, first)
                                .map(epoch -> "Set distributedid.snowflake.epoch=" + epoch + " or earlier")
                                .orElse(
                                        "No epoch makes that so: choose a layout with more bits below its time, or with more bits"
                                                + " altogether"));
    }

    /** From which on the ids of the layout would be larger; empty if it would have run out of time. */
    private static Optional<Instant> earlierEpoch(IdLayout layout, long id, Instant first) {
        long ticks = (id >> layout.time().shift()) + 2;
        return ticks > layout.time().maxTick()
                ? Optional.empty()
                : Optional.of(first.minusMillis(ticks * layout.time().unit().toMillis()));
    }
}
