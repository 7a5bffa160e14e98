package io.distributedid.internal.settings;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
import java.util.Optional;

/** Objects of the user's, given in the settings as such or by the name of their class. */
public final class InstanceFactory {

    private InstanceFactory() {}

    /**
     * The object of a setting.
     *
     * @param <T> its type
     * @param settings of a sequence
     * @param name of the setting
     * @param type of the object
     * @return a new one if the setting is a class or its name; empty if it is not set
     * @throws IdConfigurationException if there is no such class, or it has no public constructor without parameters
     */
    public static <T> Optional<T> of(Settings settings, String name, Class<T> type) {
        String allowed = "a " + type.getName()
                + ", or the name of a class that is one and has a public constructor without parameters";
        return settings.object(name).map(value -> {
            if (type.isInstance(value)) {
                return type.cast(value);
            }
            return value instanceof Class<?> known
                    ? create(settings, name, known.getName(), known.getClassLoader(), type, allowed)
                    : named(settings, name, value.toString().strip(), type, allowed);
        });
    }

    /**
     * A new object of a class that is looked for where the thread's context class loader leads.
     *
     * @param <T> its type
     * @param settings of a sequence
     * @param setting that names the class
     * @param className as the user wrote it
     * @param type of the object
     * @param allowed for the message
     * @return the object
     * @throws IdConfigurationException if there is no such class, or it has no public constructor without parameters
     */
    public static <T> T named(Settings settings, String setting, String className, Class<T> type, String allowed) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return create(
                settings,
                setting,
                className,
                context == null ? InstanceFactory.class.getClassLoader() : context,
                type,
                allowed);
    }

    private static <T> T create(
            Settings settings, String setting, String className, ClassLoader loader, Class<T> type, String allowed) {
        try {
            return Class.forName(className, true, loader)
                    .asSubclass(type)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            IdConfigurationException error = settings.invalid(setting, className, allowed);
            error.initCause(e);
            throw error;
        }
    }
}
