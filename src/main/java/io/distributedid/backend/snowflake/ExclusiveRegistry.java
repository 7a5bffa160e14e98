package io.distributedid.backend.snowflake;

import io.distributedid.backend.snowflake.lease.ExclusiveTerms;
import io.distributedid.backend.snowflake.lease.LeaseRegistry;
import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.internal.tenure.Tenure;
import io.distributedid.spi.Settings;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The places at which this process may be the one that makes ids without a worker number. Sequences with the same
 * settings share a place. For one thread at a time.
 */
final class ExclusiveRegistry {

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final LeaseRegistry leases;

    private final Map<Object, ExclusivePlace> places = new HashMap<>();

    /** @param nanoTime a monotonic clock */
    ExclusiveRegistry(InstantSource clock, LongSupplier nanoTime, LeaseRegistry leases) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.leases = leases;
    }

    /**
     * The place of a sequence. The first call opens it, whether this process becomes active or stands by.
     *
     * @param identity equal for sequences that share a place
     * @throws io.distributedid.IdUnavailableException if the store does not answer
     */
    ExclusivePlace of(Settings settings, Object identity) {
        ExclusiveTerms terms = LeaseSettings.exclusiveTerms(settings);
        ExclusivePlace known = places.get(identity);
        if (known == null) {
            known = new ExclusivePlace(
                    reservation -> leases.exclusive(settings, nanoTime, reservation),
                    new Tenure.Terms(terms.lease(), terms.callerTimeout(), terms.owner()),
                    clock,
                    nanoTime);
            places.put(identity, known);
        }
        known.allowWait(terms.callerTimeout());
        return known;
    }

    /** Ends all generators, and hands back what this process has. */
    void release() {
        places.values().forEach(ExclusivePlace::release);
        places.clear();
    }

    /** As {@link #release}, but hands nothing back. */
    void abandon() {
        places.values().forEach(ExclusivePlace::abandon);
        places.clear();
    }
}
