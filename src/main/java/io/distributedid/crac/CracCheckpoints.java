package io.distributedid.crac;

import io.distributedid.internal.registry.Checkpoints;
import java.lang.ref.WeakReference;
import java.util.Optional;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * Coordinated restore at checkpoint: OpenJDK's CRaC, and what understands its API, as AWS Lambda SnapStart does. Needs
 * the library {@code org.crac:crac}; without it, or on a JVM that makes no checkpoints, nothing happens.
 *
 * <p>The global context holds resources weakly, and this one holds its target weakly too.
 */
public final class CracCheckpoints implements Checkpoints {

    /** For {@link java.util.ServiceLoader}. */
    public CracCheckpoints() {}

    @Override
    public Optional<Object> register(Target target) {
        return isPresent() ? Optional.of(SequencesResource.registered(target)) : Optional.empty();
    }

    private static boolean isPresent() {
        try {
            Class<?> core = Class.forName("org.crac.Core", false, CracCheckpoints.class.getClassLoader());
            // It may be on the class path even where this is a module.
            CracCheckpoints.class.getModule().addReads(core.getModule());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Not loaded without the library. */
    static final class SequencesResource implements Resource {

        private final WeakReference<Target> target;

        private SequencesResource(Target target) {
            this.target = new WeakReference<>(target);
        }

        static SequencesResource registered(Target target) {
            SequencesResource resource = new SequencesResource(target);
            Core.getGlobalContext().register(resource);
            return resource;
        }

        @Override
        public void beforeCheckpoint(Context<? extends Resource> context) {
            Target told = target.get();
            if (told != null) {
                told.suspend();
            }
        }

        @Override
        public void afterRestore(Context<? extends Resource> context) {
            Target told = target.get();
            if (told != null) {
                told.resume();
            }
        }
    }
}
