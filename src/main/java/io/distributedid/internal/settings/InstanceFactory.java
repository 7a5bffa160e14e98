package io.distributedid.internal.settings;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.Optional;

/** Objects that the application supplies in a setting: an instance, its class, or the name of its class. */
public final class InstanceFactory {

    private InstanceFactory() {}

    /** The object of a setting. If the value is a class or its name, a new one. */
    public static <T> Optional<T> of(Settings settings, Setting<?> setting, Class<T> type) {
        return settings.given(setting).map(value -> {
            if (type.isInstance(value)) {
                return type.cast(value);
            }
            return value instanceof Class<?> known
                    ? create(settings, setting, known.getName(), known.getClassLoader(), type)
                    : named(settings, setting, value.toString().strip(), type);
        });
    }

    /**
     * A new object of a class from the thread's context class loader.
     *
     * @throws IdConfigurationException if there is no such class, or it has no public constructor without parameters
     */
    public static <T> T named(Settings settings, Setting<?> setting, String className, Class<T> type) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return create(
                settings, setting, className, context == null ? InstanceFactory.class.getClassLoader() : context, type);
    }

    private static <T> T create(
            Settings settings, Setting<?> setting, String className, ClassLoader loader, Class<T> type) {
        try {
            return Class.forName(className, true, loader)
                    .asSubclass(type)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            IdConfigurationException error = settings.invalid(setting, className, setting.allowed());
            error.initCause(e);
            throw error;
        }
    }
}
