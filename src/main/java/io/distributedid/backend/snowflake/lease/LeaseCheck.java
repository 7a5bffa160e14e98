package io.distributedid.backend.snowflake.lease;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks a worker store for an operator: how many numbers are taken, whether the clocks agree, the store's own record,
 * and whether it records the same layout of the sequence. Only reads.
 */
final class LeaseCheck {

    private final Optional<WorkerStore> before;

    private final WorkerStore store;

    private final LeaseTerms terms;

    private final InstantSource clock;

    /** @param before the old store while numbers move */
    LeaseCheck(Optional<WorkerStore> before, WorkerStore store, LeaseTerms terms, InstantSource clock) {
        this.before = before;
        this.store = store;
        this.terms = terms;
        this.clock = clock;
    }

    /** @param layout as the store would record it */
    List<CheckResult> run(String sequence, String layout) {
        try {
            // The first read also connects. The second is fast enough to compare the clocks.
            read();
            StoreSnapshot snapshot = read();
            long now = clock.millis();
            List<CheckResult> results = new ArrayList<>();
            results.add(numbers(snapshot));
            results.add(skew(snapshot.storeTime(), now));
            store.failures().forEach((server, reason) -> results.add(CheckResult.failed("server", server, reason)));
            records(snapshot, results);
            results.add(layout(sequence, layout));
            return results;
        } catch (WorkerStoreException | IdConfigurationException e) {
            return List.of(CheckResult.failed("worker store", store.label(), String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while checking the worker numbers: " + store.label(), e);
        }
    }

    private void records(StoreSnapshot snapshot, List<CheckResult> results)
            throws WorkerStoreException, InterruptedException {
        StoreRecord found = StoreRecord.parse(snapshot.record()).orElse(null);
        String move = found == null ? "" : found.move();
        boolean moves = before.isPresent() && (found == null || !found.hasArrived());
        results.add(record(store, found, moves ? Admission.next(move) : Admission.ONLY));
        if (found != null && !found.isOpen(snapshot.storeTime())) {
            results.add(CheckResult.failed(
                    "record",
                    store.label(),
                    "The store has forgotten windows that it granted, so that others may have them. Numbers are leased"
                            + " again from " + Instant.ofEpochMilli(found.opens())));
        }
        if (moves) {
            WorkerStore old = before.get();
            StoreRecord left = StoreRecord.of(old).orElse(null);
            results.add(
                    left == null
                            ? CheckResult.failed(
                                    "record", old.label(), "numbers move from here, but there never were any")
                            : record(old, left, Admission.old(move)));
        }
    }

    private static CheckResult record(WorkerStore where, @Nullable StoreRecord found, Admission admission) {
        if (found == null) {
            return CheckResult.ok("record", where.label(), "none yet: nobody has leased a number here");
        }
        try {
            admission.require(found, where.label());
        } catch (IdConfigurationException e) {
            return CheckResult.failed("record", where.label(), String.valueOf(e.getMessage()));
        }
        return CheckResult.ok(
                "record",
                where.label(),
                "token=" + found.token() + ", longest window " + found.window() + " ms"
                        + (found.state() == StoreRecord.State.SETTLED ? "" : ", state=" + found.state()));
    }

    private CheckResult layout(String sequence, String layout) throws WorkerStoreException, InterruptedException {
        Optional<String> recorded = store.record(sequence);
        String label = store.label();
        if (recorded.isEmpty() && before.isPresent()) {
            label = before.get().label();
            recorded = before.get().record(sequence);
        }
        if (recorded.isEmpty()) {
            return CheckResult.ok("layout record", label, "none yet: nobody has taken an id of " + sequence);
        }
        return recorded.get().equals(layout)
                ? CheckResult.ok("layout record", label, "the same")
                : CheckResult.failed(
                        "layout record",
                        label,
                        "A sequence must keep its layout and epoch: seq=" + sequence + " layout=" + layout
                                + ", recorded " + recorded.get());
    }

    private StoreSnapshot read() throws WorkerStoreException, InterruptedException {
        LeaseProtocol protocol = terms.protocol();
        if (!protocol.singleUse()) {
            return store.read(protocol.minWorker(), protocol.maxWorker());
        }
        long highest = Math.max(protocol.minWorker(), store.highest());
        return store.read(highest, highest);
    }

    private CheckResult numbers(StoreSnapshot snapshot) throws WorkerStoreException {
        LeaseProtocol protocol = terms.protocol();
        if (protocol.minWorker() == protocol.maxWorker() && !protocol.singleUse()) {
            return CheckResult.ok("worker store", store.label(), number(protocol.minWorker(), snapshot));
        }
        long all = protocol.maxWorker() - protocol.minWorker() + 1;
        long taken = protocol.singleUse()
                ? Math.max(protocol.minWorker() - 1, highestBurnt(snapshot)) + 1 - protocol.minWorker()
                : snapshot.held().size();
        return taken < all
                ? CheckResult.ok("worker store", store.label(), taken + " of " + all + " numbers are taken")
                : CheckResult.failed(
                        "worker store",
                        store.label(),
                        String.valueOf(new NoFreeWorkerException(protocol, snapshot, store.label()).getMessage()));
    }

    private static long highestBurnt(StoreSnapshot snapshot) throws WorkerStoreException {
        return StoreRecord.parse(snapshot.record())
                .map(StoreRecord::burnt)
                .orElse(BurntNumbers.NONE)
                .with(snapshot.rows())
                .highest();
    }

    /** A taken number is no fault, since the application may be running. */
    private static String number(long worker, StoreSnapshot snapshot) {
        return (worker == WorkerStore.EXCLUSIVE ? "the lease of the active process" : "worker=" + worker)
                + snapshot.held().stream()
                        .filter(row -> row.worker() == worker)
                        .findFirst()
                        .map(row ->
                                " is taken by " + row.owner() + " until " + Instant.ofEpochMilli(row.reservedUntil()))
                        .orElse(" is free");
    }

    private CheckResult skew(long storeTime, long now) {
        long allowed = terms.maxClockSkew().toMillis();
        String found = "clock=" + Instant.ofEpochMilli(now) + ", the store's " + Instant.ofEpochMilli(storeTime)
                + ", allowed: " + allowed + " ms apart";
        return Math.abs(now - storeTime) <= allowed
                ? CheckResult.ok("clock", store.label(), found)
                : CheckResult.failed(
                        "clock",
                        store.label(),
                        "The local clock must be near the store's: " + found
                                + " (distributedid.snowflake.lease.max_clock_skew). Set the clock");
    }
}
