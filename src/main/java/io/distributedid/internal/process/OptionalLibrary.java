package io.distributedid.internal.process;

import io.distributedid.IdConfigurationException;
import java.util.function.Supplier;

/** A library that is on the class path of those only who use what needs it. */
public final class OptionalLibrary {

    private OptionalLibrary() {}

    /**
     * Runs the first work that needs a library.
     *
     * @param user the class that needs it
     * @param needs says which setting needs what
     * @param artifact what to add
     * @throws IdConfigurationException if it is missing
     */
    public static <T> T use(Class<?> user, String needs, String artifact, Supplier<T> work) {
        // It is on the class path even where this is a module.
        user.getModule().addReads(user.getClassLoader().getUnnamedModule());
        try {
            return work.get();
        } catch (NoClassDefFoundError e) {
            throw new IdConfigurationException(
                    "A library is missing: " + needs + ". Add " + artifact + " to the class path", e);
        }
    }
}
