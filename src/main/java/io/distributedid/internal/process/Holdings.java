package io.distributedid.internal.process;

import java.util.Map;
import java.util.Optional;

/**
 * What somebody in this JVM holds, whatever class loader has loaded this library: an application server may have a copy
 * of it for each application. Kept in the system properties, which all copies share, as text, since some print them:
 * {@code io.distributedid.held/worker=7} is {@code held}, or what its last holder has left. Thread-safe.
 */
public final class Holdings {

    private static final String PREFIX = "io.distributedid.held/";

    private static final String HELD = "held";

    private final Map<Object, Object> shared;

    /**
     * Kept elsewhere.
     *
     * @param shared a concurrent map
     */
    public Holdings(Map<Object, Object> shared) {
        this.shared = shared;
    }

    /**
     * Those of this JVM.
     *
     * @return to be used at once, since the system properties may be replaced
     */
    public static Holdings ofJvm() {
        return new Holdings(System.getProperties());
    }

    /**
     * Takes something, if nobody holds it.
     *
     * @param name of the thing
     * @return what its last holder has left, the empty text if there was none; empty if somebody holds it
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

    /**
     * Gives something back. Only its holder does so.
     *
     * @param name of the thing
     * @param left for the next holder; empty for nothing
     */
    public void giveBack(String name, String left) {
        if (left.isEmpty()) {
            shared.remove(PREFIX + name);
        } else {
            shared.put(PREFIX + name, left);
        }
    }
}
