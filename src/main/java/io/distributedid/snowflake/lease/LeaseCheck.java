package io.distributedid.snowflake.lease;

import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** What an operator is told of a store of worker numbers: how many are taken, and whether the clocks agree. Only reads. */
final class LeaseCheck {

    private final WorkerStore store;

    private final LeaseTerms terms;

    private final InstantSource clock;

    LeaseCheck(WorkerStore store, LeaseTerms terms, InstantSource clock) {
        this.store = store;
        this.terms = terms;
        this.clock = clock;
    }

    List<Finding> run() {
        try {
            // The first answer takes as long as the connection does; by the second the clocks are compared.
            read();
            Reading reading = read();
            long now = clock.millis();
            return List.of(numbers(reading), skew(reading.storeTime(), now));
        } catch (StoreException | IdConfigurationException e) {
            return List.of(Finding.failed("worker store", store.label(), String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while checking the worker numbers: " + store.label(), e);
        }
    }

    private Reading read() throws StoreException, InterruptedException {
        LeaseProtocol protocol = terms.protocol();
        long first = protocol.burnt() ? Math.max(protocol.minWorker(), store.highest()) : protocol.minWorker();
        return store.read(first, protocol.burnt() ? first : protocol.maxWorker());
    }

    private Finding numbers(Reading reading) {
        LeaseProtocol protocol = terms.protocol();
        long all = protocol.maxWorker() - protocol.minWorker() + 1;
        long taken = protocol.burnt()
                ? reading.rows().stream().mapToLong(WorkerRow::worker).max().orElse(protocol.minWorker() - 1)
                        + 1
                        - protocol.minWorker()
                : reading.rows().stream()
                        .filter(row -> !row.isHandedBack() && row.reservedUntil() > reading.storeTime())
                        .count();
        return taken < all
                ? Finding.ok("worker store", store.label(), taken + " of " + all + " numbers are taken")
                : Finding.failed(
                        "worker store",
                        store.label(),
                        String.valueOf(new NumbersTakenException(protocol, reading, store.label()).getMessage()));
    }

    private Finding skew(long storeTime, long now) {
        long allowed = terms.maxClockSkew().toMillis();
        String found = "clock=" + Instant.ofEpochMilli(now) + ", the store's " + Instant.ofEpochMilli(storeTime)
                + ", allowed: " + allowed + " ms apart";
        return Math.abs(now - storeTime) <= allowed
                ? Finding.ok("clock", store.label(), found)
                : Finding.failed(
                        "clock",
                        store.label(),
                        "The local clock must be near the store's: " + found
                                + " (distributedid.snowflake.lease.max_clock_skew). Set the clock");
    }
}
