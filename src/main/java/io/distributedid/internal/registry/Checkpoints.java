package io.distributedid.internal.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Calls targets before a checkpoint of this process and after each restore. Found by {@link ServiceLoader}. */
public interface Checkpoints {

    /** Suspends and resumes ids. */
    interface Target {

        /** Called before a checkpoint. */
        void suspend();

        /** Called in each restored process. */
        void resume();
    }

    /**
     * Registers a target, and keeps only a weak reference to it. The target keeps the returned object for as long as it
     * wants calls. Empty if this process can't be checkpointed.
     */
    Optional<Object> register(Target target);

    /** Registers a target with all installed services, and returns the objects to keep. */
    static List<Object> registerWithAll(Target target) {
        List<Object> kept = new ArrayList<>();
        for (Checkpoints each : ServiceLoader.load(Checkpoints.class, Checkpoints.class.getClassLoader())) {
            each.register(target).ifPresent(kept::add);
        }
        return List.copyOf(kept);
    }
}
