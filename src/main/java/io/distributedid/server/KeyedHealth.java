package io.distributedid.server;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.KeyedNumbers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Which places gave no number at last: see {@link KeyedNumbers#probes}. Thread-safe. */
final class KeyedHealth {

    private static final Logger LOG = System.getLogger(KeyedHealth.class.getName());

    private final KeyedNumbers numbers;

    private final Failures failures;

    private final Map<Integer, String> troubles = new ConcurrentHashMap<>();

    private final AtomicInteger looks = new AtomicInteger();

    KeyedHealth(KeyedNumbers numbers, Failures failures) {
        this.numbers = numbers;
        this.failures = failures;
    }

    boolean isWell() {
        return troubles.isEmpty();
    }

    /** Why a place gave no number; empty if all give some. */
    String reason() {
        return troubles.values().stream().findFirst().orElse("");
    }

    void answered(String key) {
        if (!isWell()) {
            troubles.remove(numbers.place(key));
        }
    }

    /** @param problem not one of the key alone */
    void failed(String key, DistributedIdException problem) {
        troubles.put(numbers.place(key), failures.message(problem));
    }

    /**
     * Reads a key, at each call of another place. May wait.
     *
     * @throws IdUnavailableException if the place does not answer
     * @throws IdConfigurationException if it can't be used, for example because it has lost its rows
     */
    void look() {
        List<String> probes = numbers.probes();
        look(probes.get(Math.floorMod(looks.getAndIncrement(), probes.size())));
    }

    private void look(String probe) {
        try {
            long unused = numbers.current(probe);
            answered(probe);
        } catch (IdStandbyException e) {
            // Another server has this key, and this one knows which.
            answered(probe);
        } catch (IdUnavailableException | IdConfigurationException e) {
            failed(probe, e);
            throw e;
        }
    }

    /** Reads a key of each place that gave no number. May wait. */
    void lookAgain() {
        List<String> probes = numbers.probes();
        for (int place : troubles.keySet()) {
            try {
                look(probes.get(place));
            } catch (DistributedIdException e) {
                LOG.log(Level.DEBUG, "A key still has no number", e);
            }
        }
    }
}
