package io.distributedid.crac;

import io.distributedid.internal.registry.Checkpoints;
import java.lang.ref.WeakReference;
import java.util.Optional;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * Registers with OpenJDK's CRaC (Coordinated Restore at Checkpoint), or another runtime with its API, such as AWS
 * Lambda SnapStart. Does nothing without the library {@code org.crac:crac}, or on a JVM without checkpoints.
 *
 * <p>The global context holds resources by weak references. The resource holds its target by one, too.
 */
public final class CracCheckpoints implements Checkpoints {

    @Override
    public Optional<Object> register(Target target) {
        return isPresent() ? Optional.of(SequencesResource.registered(target)) : Optional.empty();
    }

    private static boolean isPresent() {
        try {
            Class<?> core = Class.forName("org.crac.Core", false, CracCheckpoints.class.getClassLoader());
            // The library may be on the class path although this is a module.
            CracCheckpoints.class.getModule().addReads(core.getModule());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** A class of its own, since it can't be loaded without the library. */
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
            Target live = target.get();
            if (live != null) {
                live.suspend();
            }
        }

        @Override
        public void afterRestore(Context<? extends Resource> context) {
            Target live = target.get();
            if (live != null) {
                live.resume();
            }
        }
    }
}
