package io.distributedid.internal.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Tells targets before a running process is written down, and after each restore. Found by {@link ServiceLoader}. */
public interface Checkpoints {

    /** Suspends and resumes ids. */
    interface Target {

        /** Called before the process is written down. */
        void suspend();

        /** Called in each process that was restored. */
        void resume();
    }

    /**
     * From now on tells the target, which may be garbage-collected all the same.
     *
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
