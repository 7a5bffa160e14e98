package io.distributedid.snowflake.lease;

import io.distributedid.DistributedIdSettings;
import io.distributedid.Finding;
import io.distributedid.internal.IdField;
import io.distributedid.internal.IdLayout;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/** The leases of one backend: sequences with the same settings share one. For one thread at a time, but for {@link #stopWaiting}. */
public final class Leases {

    private final InstantSource clock;

    private final Optional<ConnectionAccess> ownDatabase;

    private final Map<List<Object>, Lease> bySettings = new HashMap<>();

    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * Knows of no lease yet.
     *
     * @param clock the local one
     * @param ownDatabase holds the numbers unless the settings name another store
     */
    public Leases(InstantSource clock, Optional<ConnectionAccess> ownDatabase) {
        this.clock = clock;
        this.ownDatabase = ownDatabase;
    }

    /**
     * The lease of a sequence, opened at the first call.
     *
     * @param settings of the sequence
     * @param maxWorker the largest number that fits its layout
     * @return to be released by its user
     */
    public Lease of(Settings settings, long maxWorker) {
        List<Object> key = identity(settings, maxWorker);
        Lease known = bySettings.get(key);
        if (known == null) {
            known = Lease.open(
                    LeaseSettings.store(settings, ownDatabase),
                    LeaseSettings.terms(settings, maxWorker),
                    clock,
                    closing);
            bySettings.put(key, known);
        }
        return known;
    }

    /**
     * Reads the store of a sequence's numbers, and compares the clocks. Leases none.
     *
     * @param settings of the sequence
     * @param maxWorker the largest number that fits its layout
     * @return what was found
     * @throws io.distributedid.IdConfigurationException if a setting is missing or wrong
     */
    public List<Finding> check(Settings settings, long maxWorker) {
        LeaseTerms terms = LeaseSettings.terms(settings, maxWorker);
        try (WorkerStore store = LeaseSettings.store(settings, ownDatabase)) {
            return new LeaseCheck(store, terms, clock).run();
        }
    }

    /**
     * Gives a sequence another layout or epoch. Waits for about a window and a half.
     *
     * @param settings of the sequence
     * @param sequence its name
     * @param layout the new one
     * @param allStopped whether no process runs that has a burnt number
     * @return the old one, as text
     * @throws io.distributedid.IdConfigurationException if a number is leased, or the new ids would not be larger
     * @throws io.distributedid.IdUnavailableException if the store failed; to be repeated
     */
    public String changeLayout(Settings settings, String sequence, IdLayout layout, boolean allStopped) {
        LeaseTerms terms = LeaseSettings.terms(settings, layout.max(IdField.WORKER));
        try (WorkerStore store = LeaseSettings.store(settings, ownDatabase)) {
            return new LayoutChange(store, terms, sequence, allStopped).run(layout);
        }
    }

    /** Ends the wait for a number while all are taken, now and later. Called by any thread. */
    public void stopWaiting() {
        closing.countDown();
    }

    /**
     * Tells leases apart. Opens none.
     *
     * @param settings of a sequence
     * @param maxWorker the largest number that fits its layout
     * @return equal for sequences that share a lease
     */
    public List<Object> identity(Settings settings, long maxWorker) {
        List<Object> identity = new ArrayList<>();
        identity.add(maxWorker);
        identity.add(settings.text(DistributedIdSettings.SNOWFLAKE_WORKER));
        new TreeSet<>(LeaseSettings.NAMES).forEach(name -> identity.add(settings.object(name)));
        return identity;
    }
}
