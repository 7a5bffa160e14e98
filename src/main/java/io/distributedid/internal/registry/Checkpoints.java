package io.distributedid.internal.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * What writes a running process down, to be restored any number of times: tells sequences before and after. Found by {@link
 * ServiceLoader}.
 */
public interface Checkpoints {

    /** What is told. */
    interface Target {

        /** Called before the process is written down. */
        void suspend();

        /** Called in each process that was restored. */
        void resume();
    }

    /**
     * From now on the target is told. It is not kept from being collected.
     *
     * @param target some sequences
     * @return to be kept as long as the target wants to be told; empty if this process can't be written down
     */
    Optional<Object> register(Target target);

    /** Registers with all that are installed. Returns what must be kept. */
    static List<Object> registerWithAll(Target target) {
        List<Object> kept = new ArrayList<>();
        for (Checkpoints each : ServiceLoader.load(Checkpoints.class, Checkpoints.class.getClassLoader())) {
            each.register(target).ifPresent(kept::add);
        }
        return List.copyOf(kept);
    }
}
