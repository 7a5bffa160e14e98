package io.distributedid.internal.process;

import java.util.Map;
import java.util.Optional;

/**
 * Locks by name for the whole JVM, across class loaders: an application server may load this library once for each
 * application. All copies share the system properties, where the locks are kept as text, since tools print them: the
 * property {@code io.distributedid.held/worker=7} has the value {@code held}, or a text that its last holder left for
 * the next one. Thread-safe.
 */
public final class Holdings {

    private static final String PREFIX = "io.distributedid.held/";

    private static final String HELD = "held";

    private final Map<Object, Object> shared;

    /** For tests: {@code shared} is a concurrent map. */
    public Holdings(Map<Object, Object> shared) {
        this.shared = shared;
    }

    /** The locks of this JVM. Don't keep the object: an application may replace the system properties. */
    public static Holdings ofJvm() {
        return new Holdings(System.getProperties());
    }

    /**
     * Takes a lock unless it is held.
     *
     * @return the text that the last holder left, "" if there is none; empty if the lock is held
     */
    public Optional<String> take(String name) {
        String key = PREFIX + name;
        Object found = shared.get(key);
        if (found == null) {
            return shared.putIfAbsent(key, HELD) == null ? Optional.of("") : Optional.empty();
        }
        return !HELD.equals(found) && shared.replace(key, found, HELD)
                ? Optional.of(found.toString())
                : Optional.empty();
    }

    /** Releases a lock; only its holder may. {@code left} is a text for the next holder, "" for none. */
    public void giveBack(String name, String left) {
        if (left.isEmpty()) {
            shared.remove(PREFIX + name);
        } else {
            shared.put(PREFIX + name, left);
        }
    }
}
