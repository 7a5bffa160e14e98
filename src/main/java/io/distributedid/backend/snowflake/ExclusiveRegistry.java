package io.distributedid.backend.snowflake;

import io.distributedid.IdConfigurationException;
import io.distributedid.backend.snowflake.lease.ExclusiveTerms;
import io.distributedid.backend.snowflake.lease.LeaseRegistry;
import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.tenure.Tenure;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The places at which this process may be the one that makes ids without a worker number. A store has one row for that,
 * so sequences with the same store share a place, and its settings. For one thread at a time.
 */
final class ExclusiveRegistry {

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final LeaseRegistry leases;

    /** @param first the sequence that opened the place */
    private record Open(ExclusivePlace place, Sequence first) {}

    /** By what identifies the store. */
    private final Map<Object, Open> places = new HashMap<>();

    /** @param nanoTime a monotonic clock */
    ExclusiveRegistry(InstantSource clock, LongSupplier nanoTime, LeaseRegistry leases) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.leases = leases;
    }

    /**
     * The place of a sequence. The first call opens it, whether this process becomes active or stands by.
     *
     * @throws IdConfigurationException if the store has recorded another layout, or another sequence of the place has
     *     other lease settings
     * @throws io.distributedid.IdUnavailableException if the store does not answer
     */
    ExclusivePlace of(Sequence sequence, IdLayout layout) {
        Settings settings = sequence.settings();
        ExclusiveTerms terms = LeaseSettings.exclusiveTerms(settings);
        Object store = LeaseSettings.storeIdentity(settings);
        Open known = places.get(store);
        if (known == null) {
            ExclusivePlace place = new ExclusivePlace(
                    reservation -> leases.exclusive(settings, nanoTime, reservation),
                    sequence.name(),
                    layout,
                    new Tenure.Terms(terms.lease(), terms.callerTimeout(), terms.owner()),
                    clock,
                    nanoTime);
            places.put(store, new Open(place, sequence));
            return place;
        }
        requireSameSettings(sequence, known.first);
        known.place.requireLayout(sequence.name(), layout);
        known.place.allowWait(terms.callerTimeout());
        return known.place;
    }

    private static void requireSameSettings(Sequence sequence, Sequence first) {
        LeaseSettings.difference(sequence.settings(), first.settings()).ifPresent(setting -> {
            throw new IdConfigurationException(
                    "Sequences whose store of the active process is the same must have the same lease settings: "
                            + sequence.name() + " has another " + setting + " than " + first.name()
                            + ". Set it alike for both");
        });
    }

    /** Ends all generators, and hands back what this process has. */
    void release() {
        places.values().forEach(each -> each.place.release());
        places.clear();
    }

    /** As {@link #release}, but hands nothing back. */
    void abandon() {
        places.values().forEach(each -> each.place.abandon());
        places.clear();
    }
}
