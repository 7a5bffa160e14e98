package io.distributedid.internal.process;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Resources by key. Each is made at its first use. One that is made while they end is closed at once: the thread that
 * ends them does not see it, and can't close it. They are made without a lock, so that a slow one delays neither others
 * nor the end. Thread-safe.
 */
public final class Resources<K, V> {

    private final Consumer<V> discard;

    private final Map<K, V> open = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();

    /** The lock guards changes, together with those of the map. */
    private volatile boolean ended;

    /** @param discard closes what was made and is not used: another thread was faster, or they ended */
    public Resources(Consumer<V> discard) {
        this.discard = discard;
    }

    /** Returns the resource of a key, perhaps a new one; empty if there was none before the end. */
    public Optional<V> get(K key, Supplier<? extends V> make) {
        V known = open.get(key);
        if (known != null || ended) {
            return Optional.ofNullable(known);
        }
        V made = make.get();
        Optional<V> kept = keep(key, made);
        if (kept.filter(each -> isSame(each, made)).isEmpty()) {
            discard.accept(made);
        }
        return kept;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Object one, Object other) {
        return one == other;
    }

    private Optional<V> keep(K key, V made) {
        lock.lock();
        try {
            if (!ended) {
                open.putIfAbsent(key, made);
            }
            return Optional.ofNullable(open.get(key));
        } finally {
            lock.unlock();
        }
    }

    /** Makes no more, and returns all. May be called again. */
    public Map<K, V> end() {
        lock.lock();
        try {
            ended = true;
            return Collections.unmodifiableMap(open);
        } finally {
            lock.unlock();
        }
    }
}
