package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.spi.Backend;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Prepares sequences, all of one backend together, see {@link Backend#prepare} and {@link Maintenance#prepareRaise}.
 */
final class SequencePreparation {

    /** What a backend does for several sequences. */
    @FunctionalInterface
    interface Step {

        void run(Backend backend, Map<Sequence, ? extends Collection<Long>> existing);
    }

    private static final Logger LOG = System.getLogger(SequencePreparation.class.getName());

    private SequencePreparation() {}

    /** Does nothing if the period is over. A sequence whose settings are wrong is left to its opening. */
    static void run(Map<Sequence, ? extends Collection<Long>> existing, Periods periods, Period period, Step step) {
        IdentityHashMap<Period.Running, Map<Sequence, Collection<Long>>> byBackend = new IdentityHashMap<>();
        existing.forEach((sequence, ids) -> {
            try {
                byBackend
                        .computeIfAbsent(period.running(sequence), running -> new LinkedHashMap<>())
                        .put(sequence, ids);
            } catch (DistributedIdException e) {
                LOG.log(Level.DEBUG, "A sequence can't be prepared: " + sequence, e);
            }
        });
        byBackend.forEach((running, some) -> {
            running.opening().lock();
            try {
                if (periods.isCurrent(period)) {
                    step.run(running.backend(), some);
                }
            } finally {
                running.opening().unlock();
            }
        });
    }
}
