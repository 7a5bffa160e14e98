package io.distributedid.internal.counter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The servers of one backend: sequences whose settings name the same ones share them. Thread-safe.
 *
 * @param <C> names a counter
 */
public final class SharedServers<C extends CounterKey> implements AutoCloseable {

    private final Map<Object, CounterServers<C>> byConfiguration = new ConcurrentHashMap<>();

    /** Abandoned, and not asked for again yet. */
    private final Map<Object, CounterServers<C>> former = new ConcurrentHashMap<>();

    /** None yet. */
    public SharedServers() {}

    /**
     * Takes over what was known of servers.
     *
     * @param abandoned not used any more
     */
    public void learn(SharedServers<C> abandoned) {
        former.putAll(abandoned.former);
        former.putAll(abandoned.byConfiguration);
    }

    /**
     * The servers of a configuration.
     *
     * @param configuration all that their use depends on
     * @param create makes them at the first call
     * @return with what was known of them before
     */
    public CounterServers<C> of(Object configuration, Supplier<CounterServers<C>> create) {
        return byConfiguration.computeIfAbsent(configuration, key -> {
            CounterServers<C> created = create.get();
            CounterServers<C> before = former.remove(key);
            if (before != null) {
                created.learn(before);
            }
            return created;
        });
    }

    /** See {@link CounterServers#stop}. */
    public void stop() {
        byConfiguration.values().forEach(CounterServers::stop);
    }

    /** See {@link CounterServers#cut}. */
    public void cut() {
        byConfiguration.values().forEach(CounterServers::cut);
    }

    /** See {@link CounterServers#abandon}. */
    public void abandon() {
        byConfiguration.values().forEach(CounterServers::abandon);
    }

    /** See {@link CounterServers#close}. */
    @Override
    public void close() {
        byConfiguration.values().forEach(CounterServers::close);
    }
}
