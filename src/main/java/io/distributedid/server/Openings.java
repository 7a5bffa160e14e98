package io.distributedid.server;

import io.distributedid.IdUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Opens what is served: at the start, and again until each is open. Then looks after what fails. Thread-safe. */
final class Openings {

    private static final Logger LOG = System.getLogger(Openings.class.getName());

    private final List<Served> all;

    private final AtomicBoolean isOpening = new AtomicBoolean();

    /** Why a sequence could not be opened at last. */
    private final Map<Served, String> reasons = new ConcurrentHashMap<>();

    Openings(Collection<? extends Served> all) {
        this.all = List.copyOf(all);
    }

    boolean areComplete() {
        return all.stream().allMatch(Served::isOpen);
    }

    boolean areWell() {
        return all.stream().allMatch(each -> each.isOpen() && each.isWell());
    }

    /**
     * Opens all. If a store does not answer, the start waits for it once: {@link #tryAgain} opens the others later.
     *
     * @throws io.distributedid.IdConfigurationException if a sequence is configured wrongly
     */
    void open() {
        try {
            all.forEach(Served::open);
        } catch (IdUnavailableException e) {
            LOG.log(
                    Level.WARNING,
                    "The server starts without some of its sequences, and tries to open them again. " + e.getMessage());
        }
    }

    /** Tries again what could not be opened or has failed. May wait. Does nothing while another thread does this. */
    void tryAgain() {
        if (isOpening.compareAndSet(false, true)) {
            try {
                all.stream().filter(each -> !each.isOpen()).forEach(this::openAgain);
                all.stream().filter(each -> each.isOpen() && !each.isWell()).forEach(Served::lookAgain);
            } finally {
                isOpening.set(false);
            }
        }
    }

    /** Each new reason is a warning once. */
    private void openAgain(Served sequence) {
        try {
            sequence.open();
            LOG.log(Level.INFO, "A sequence is open now: seq={0}", sequence.name());
        } catch (RuntimeException e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(reasons.put(sequence, reason))) {
                LOG.log(Level.WARNING, "A sequence can't be opened: seq=" + sequence.name() + ". " + reason);
            }
        }
    }
}
