package io.distributedid.backend.snowflake.lease;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/**
 * The leases of one backend. Sequences with the same settings share a lease. For one thread at a time, except
 * {@link #stopWaiting} and {@link #cut}.
 */
public final class LeaseRegistry {

    private final InstantSource clock;

    private final Optional<ConnectionAccess> applicationDatabase;

    private final Map<List<Object>, Lease> bySettings = new HashMap<>();

    /** Clients of leases whose store failed at the start. The next attempt finds what the last one may have got. */
    private final Map<List<Object>, LeaseClient> unopened = new HashMap<>();

    private final Set<WorkerStore> stores = ConcurrentHashMap.newKeySet();

    private final CountDownLatch closing = new CountDownLatch(1);

    /** @param applicationDatabase holds the numbers unless the settings name another store */
    public LeaseRegistry(InstantSource clock, Optional<ConnectionAccess> applicationDatabase) {
        this.clock = clock;
        this.applicationDatabase = applicationDatabase;
    }

    /**
     * The lease of a sequence, for one of {@code numbers}. The first call opens it. The user of the lease releases it.
     */
    public Lease of(Settings settings, NumberRange numbers) {
        List<Object> key = identity(settings, numbers);
        Lease known = bySettings.get(key);
        if (known == null) {
            known = open(key, settings, numbers);
            bySettings.put(key, known);
        }
        known.allowWait(settings.get(CoreSettings.BLOCK_TIMEOUT));
        return known;
    }

    private Lease open(List<Object> key, Settings settings, NumberRange numbers) {
        LeaseTerms terms = LeaseSettings.terms(settings, numbers);
        LeaseClient before = unopened.remove(key);
        LeaseClient client = before == null ? client(settings, terms) : before;
        boolean isOpen = false;
        try {
            Lease lease = Lease.open(client, terms, clock, closing);
            isOpen = true;
            return lease;
        } catch (IdUnavailableException e) {
            if (e.getCause() instanceof WorkerStoreException) {
                unopened.put(key, client);
            }
            throw e;
        } finally {
            if (!isOpen && !unopened.containsKey(key)) {
                client.close();
            }
        }
    }

    /**
     * The store of the tenure of a sequence, for one process at a time. It connects at its first call. The caller
     * closes it.
     */
    public ExclusiveStore exclusive(Settings settings, LongSupplier nanoTime, ExclusiveStore.Reservation reservation) {
        ExclusiveTerms terms = LeaseSettings.exclusiveTerms(settings);
        WorkerStore store = LeaseSettings.store(settings, applicationDatabase);
        stores.add(store);
        return new ExclusiveStore(store, terms, clock, nanoTime, reservation);
    }

    private LeaseClient client(Settings settings, LeaseTerms terms) {
        Optional<WorkerStore> before = LeaseSettings.storeBefore(settings, applicationDatabase);
        WorkerStore store = LeaseSettings.store(settings, applicationDatabase);
        before.ifPresent(stores::add);
        stores.add(store);
        return before.<LeaseClient>map(old -> new MovingClient(old, store, terms, clock))
                .orElseGet(() -> new StoreClient(store, terms, clock));
    }

    /**
     * Reads the worker store of a sequence, and compares the clocks and the layout. Leases no number.
     *
     * @param layout as the store would record it
     * @throws IdConfigurationException if a setting is missing or wrong
     */
    public List<CheckResult> check(Settings settings, NumberRange numbers, String sequence, String layout) {
        LeaseTerms terms = LeaseSettings.terms(settings, numbers);
        Optional<WorkerStore> before = LeaseSettings.storeBefore(settings, applicationDatabase);
        try (WorkerStore store = LeaseSettings.storeToRead(settings, applicationDatabase)) {
            return new LeaseCheck(before, store, terms, clock).run(sequence, layout);
        } finally {
            before.ifPresent(WorkerStore::close);
        }
    }

    /**
     * Identifies the worker store of a sequence by a random token. Leases no number. Writes the token if the store is
     * new, unless numbers move to it: then it gets the token of the old place, with its first number.
     *
     * @throws IdConfigurationException if numbers move from a place that was never used
     * @throws IdUnavailableException if the store does not answer
     */
    public String token(Settings settings, NumberRange numbers) {
        Lease known = bySettings.get(identity(settings, numbers));
        if (known != null) {
            return known.storeToken();
        }
        LeaseTerms terms = LeaseSettings.terms(settings, numbers);
        Optional<WorkerStore> before = LeaseSettings.storeBefore(settings, applicationDatabase);
        try (WorkerStore store = LeaseSettings.store(settings, applicationDatabase)) {
            return before.isPresent() ? tokenDuringMove(store, before.get()) : token(store, terms);
        } catch (WorkerStoreException e) {
            throw new IdUnavailableException("The store of worker numbers can't be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while reading the store of worker numbers", e);
        } finally {
            before.ifPresent(WorkerStore::close);
        }
    }

    private static String token(WorkerStore store, LeaseTerms terms) throws WorkerStoreException, InterruptedException {
        StoreRecord first =
                StoreRecord.first(UUID.randomUUID().toString(), terms.protocol().windowMillis());
        return StoreRecord.parse(LeaseClient.record(store, WorkerStore.STORE_RECORD, first.text()))
                .orElseThrow()
                .token();
    }

    /** The old place may be gone once the numbers have moved. */
    private static String tokenDuringMove(WorkerStore store, WorkerStore old)
            throws WorkerStoreException, InterruptedException {
        Optional<StoreRecord> found = StoreRecord.of(store);
        return (found.isPresent() ? found.get() : MovingClient.requireUsed(old)).token();
    }

    /**
     * Ends the move of worker numbers, once all processes lease at the old place and at the new one. Waits for more
     * than a window.
     *
     * @param force whether processes that lease at the old place alone are cut off
     * @throws IdConfigurationException if no move has begun, or a process leases at the old place alone
     * @throws IdUnavailableException if a store does not answer; repeat the call when it does
     */
    public List<CheckResult> finishMove(Settings settings, boolean force) {
        WorkerStore old = LeaseSettings.storeBefore(settings, applicationDatabase)
                .orElseThrow(
                        () -> new IdConfigurationException(
                                "The place that worker numbers move from must be set:"
                                        + " distributedid.snowflake.lease.moving_from.server, or .zookeeper with"
                                        + " .store=zookeeper, or .service with .store=service. Use the settings that the applications have now"));
        try (old;
                WorkerStore store = LeaseSettings.store(settings, applicationDatabase)) {
            return new StoreMove(old, store, System::nanoTime, Thread::sleep).finish(force);
        } catch (WorkerStoreException e) {
            throw new IdUnavailableException(
                    "The move of the worker numbers has not ended: " + e.getMessage() + ". Repeat the command", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while ending the move of the worker numbers", e);
        }
    }

    /**
     * Changes the recorded layout or epoch of a sequence. Waits for about a window and a half. Returns the old layout.
     *
     * @param allStopped whether the operator confirms that no process with a single-use number runs
     * @throws IdConfigurationException if a number is leased, or the new ids would not be larger
     * @throws IdUnavailableException if the store failed; repeat the call
     */
    public String changeLayout(Settings settings, String sequence, IdLayout layout, boolean allStopped) {
        LeaseTerms terms = LeaseSettings.terms(settings, new NumberRange(0, layout.max(IdField.WORKER)));
        try (WorkerStore store = LeaseSettings.store(settings, applicationDatabase)) {
            return new LayoutChange(store, terms, sequence, allStopped).run(layout);
        }
    }

    /** Ends waits for a free number, now and later. Called by any thread. */
    public void stopWaiting() {
        closing.countDown();
        stores.forEach(WorkerStore::stop);
    }

    /** Ends calls to the stores with an error. Called by any thread. */
    public void cut() {
        stores.forEach(WorkerStore::cut);
    }

    /** Closes the clients of leases that were never opened. The users of open leases release them. */
    public void close() {
        unopened.values().forEach(LeaseClient::close);
        unopened.clear();
    }

    /** Identifies a lease: equal for sequences that share one. Opens none. */
    public List<Object> identity(Settings settings, NumberRange numbers) {
        List<Object> identity = new ArrayList<>();
        identity.add(numbers);
        identity.add(settings.find(CoreSettings.SNOWFLAKE_WORKER));
        LeaseSettings.ALL.forEach(each -> identity.add(settings.given(each)));
        return identity;
    }
}
