package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.settings.SettingNames;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The sequences that the server gives ids of, by name. */
final class ServedSequences {

    private static final Logger LOG = System.getLogger(ServedSequences.class.getName());

    private final Map<String, ServedSequence> byName = new LinkedHashMap<>();

    private final DistributedIds ids;

    private final AtomicInteger waiting = new AtomicInteger();

    private final AtomicBoolean isOpening = new AtomicBoolean();

    ServedSequences(DistributedIds ids, Set<String> names, Workers workers, int mostWaiting) {
        this.ids = ids;
        names.forEach(name -> byName.put(name, new ServedSequence(name, ids, workers, waiting, mostWaiting)));
    }

    Set<String> names() {
        return byName.keySet();
    }

    Collection<ServedSequence> all() {
        return byName.values();
    }

    /** The requests that wait for ids. */
    AtomicInteger waiting() {
        return waiting;
    }

    /** @throws Problem.Refusal if the sequence is not served */
    ServedSequence named(String name) {
        ServedSequence found = byName.get(name);
        if (found == null) {
            Optional<String> nearest = SettingNames.near(name, byName.keySet());
            throw new Problem(
                            ProblemType.UNKNOWN_SEQUENCE,
                            "There is no such sequence: seq=" + Problem.quoted(name) + ". "
                                    + nearest.map(near -> "Is it " + near + "?")
                                            .orElse("The server gives ids of those in " + ServerSettings.SEQUENCES),
                            nearest.map(near -> Map.of("nearest", near)).orElse(Map.of()))
                    .refusal();
        }
        return found;
    }

    /**
     * Opens all sequences. If the store of one does not answer, the server starts without it: requests, and
     * {@link #openOthers}, try again.
     *
     * @throws io.distributedid.IdConfigurationException if a sequence is configured wrongly
     */
    void open() {
        ids.prepare(byName.keySet());
        byName.values().forEach(ServedSequences::tryOpen);
        ids.prefetch(byName.keySet());
    }

    private static void tryOpen(ServedSequence sequence) {
        try {
            sequence.open();
        } catch (IdUnavailableException e) {
            LOG.log(
                    Level.WARNING,
                    "A sequence can''t be opened, and is tried again: seq={0}. {1}",
                    sequence.name(),
                    e.getMessage());
        }
    }

    /** Tries again to open what could not be opened. May wait. Does nothing while another thread does this. */
    void openOthers() {
        if (isOpening.compareAndSet(false, true)) {
            try {
                for (ServedSequence each : byName.values()) {
                    if (!each.isOpen()) {
                        openAgain(each);
                    }
                }
            } finally {
                isOpening.set(false);
            }
        }
    }

    /** The failure is known to health, and was in the log once. */
    private static void openAgain(ServedSequence sequence) {
        try {
            sequence.open();
            LOG.log(Level.INFO, "A sequence is open now: seq={0}", sequence.name());
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "A sequence can't be opened: seq=" + sequence.name(), e);
        }
    }
}
