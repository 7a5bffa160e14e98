package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.settings.SettingNames;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** The sequences that the server gives ids of, by name. */
final class ServedSequences {

    private static final Logger LOG = System.getLogger(ServedSequences.class.getName());

    private final Map<String, ServedSequence> byName = new LinkedHashMap<>();

    private final DistributedIds ids;

    private final AtomicInteger waiting = new AtomicInteger();

    private final AtomicBoolean isOpening = new AtomicBoolean();

    /** Why a sequence could not be opened at last, by its name. */
    private final Map<String, String> reasons = new ConcurrentHashMap<>();

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

    /** The names of those that a caller may use. */
    Set<String> names(Caller caller) {
        return byName.keySet().stream().filter(caller::mayUse).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** @throws Problem.Refusal if the sequence is not served, or the caller may not use it */
    ServedSequence named(String name, Caller caller) {
        ServedSequence found = byName.get(name);
        if (found == null) {
            Optional<String> nearest = SettingNames.near(name, names(caller));
            throw new Problem(
                            ProblemType.UNKNOWN_SEQUENCE,
                            "There is no such sequence: seq=" + Problem.quoted(name) + ". "
                                    + nearest.map(near -> "Is it " + near + "?")
                                            .orElse("The server gives ids of those in " + ServerSettings.SEQUENCES),
                            nearest.map(near -> Map.of("nearest", near)).orElse(Map.of()))
                    .refusal();
        }
        caller.requireSequence(name);
        return found;
    }

    /**
     * Opens all sequences. If a store does not answer, the start waits for it once: {@link #openOthers} opens the
     * others later.
     *
     * @throws io.distributedid.IdConfigurationException if a sequence is configured wrongly
     */
    void open() {
        ids.prepare(byName.keySet());
        try {
            byName.values().forEach(ServedSequence::open);
        } catch (IdUnavailableException e) {
            LOG.log(
                    Level.WARNING,
                    "The server starts without some of its sequences, and tries to open them again. " + e.getMessage());
        }
        ids.prefetch(byName.keySet());
    }

    /** Tries again to open what could not be opened. May wait. Does nothing while another thread does this. */
    void openOthers() {
        if (isOpening.compareAndSet(false, true)) {
            try {
                byName.values().stream().filter(each -> !each.isOpen()).forEach(this::openAgain);
            } finally {
                isOpening.set(false);
            }
        }
    }

    /** Each new reason is a warning once. */
    private void openAgain(ServedSequence sequence) {
        try {
            sequence.open();
            LOG.log(Level.INFO, "A sequence is open now: seq={0}", sequence.name());
        } catch (RuntimeException e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(reasons.put(sequence.name(), reason))) {
                LOG.log(Level.WARNING, "A sequence can't be opened: seq=" + sequence.name() + ". " + reason);
            }
        }
    }
}
