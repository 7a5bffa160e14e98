package io.distributedid.internal.registry;

import io.distributedid.SequenceListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The listeners of a {@link SequenceRegistry}. Calls all of them, also if some fail. Waits and fetches are reported
 * without a lock. Thread-safe.
 */
final class Listeners implements SequenceListener {

    private static final Logger LOG = System.getLogger(SequenceRegistry.class.getName());

    private final List<SequenceListener> all = new CopyOnWriteArrayList<>();

    /** Their classes. Waits may be many, so that only the first failure is a warning. */
    private final Set<Class<?>> failed = ConcurrentHashMap.newKeySet();

    void add(SequenceListener listener) {
        all.add(listener);
    }

    @Override
    public void opened(String sequence) {
        notifyAll(listener -> listener.opened(sequence));
    }

    @Override
    public void waited(String sequence, Duration time) {
        notifyAll(listener -> listener.waited(sequence, time));
    }

    @Override
    public void fetched(String sequence, Duration time) {
        notifyAll(listener -> listener.fetched(sequence, time));
    }

    /** Also forgets them. */
    @Override
    public void closed() {
        notifyAll(SequenceListener::closed);
        all.clear();
    }

    private void notifyAll(Consumer<SequenceListener> call) {
        for (SequenceListener listener : all) {
            try {
                call.accept(listener);
            } catch (RuntimeException e) {
                Class<?> type = listener.getClass();
                LOG.log(failed.add(type) ? Level.WARNING : Level.DEBUG, "A listener failed: " + type.getName(), e);
            }
        }
    }
}
