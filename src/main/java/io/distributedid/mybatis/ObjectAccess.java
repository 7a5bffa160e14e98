package io.distributedid.mybatis;

import java.lang.reflect.InvocationTargetException;
import java.util.Collection;
import java.util.Map;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.reflection.ReflectionException;
import org.apache.ibatis.reflection.Reflector;
import org.apache.ibatis.reflection.invoker.Invoker;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Reads and sets properties of an object as its {@link MetaObject} does: by the getter, setter or field that MyBatis
 * found. Most objects need no {@code MetaObject}, which parses the name of the property at each access.
 */
final class ObjectAccess {

    private static final Object[] NOTHING = {};

    private final Object object;

    private final @Nullable Reflector reflector;

    private final @Nullable MetaObject other;

    private ObjectAccess(Object object, @Nullable Reflector reflector, @Nullable MetaObject other) {
        this.object = object;
        this.reflector = reflector;
        this.other = other;
    }

    static ObjectAccess to(Object object, Configuration configuration) {
        boolean isOther = object instanceof Map<?, ?>
                || object instanceof Collection<?>
                || configuration.getObjectWrapperFactory().hasWrapperFor(object);
        return isOther
                ? new ObjectAccess(object, null, configuration.newMetaObject(object))
                : new ObjectAccess(object, configuration.getReflectorFactory().findForClass(object.getClass()), null);
    }

    @Nullable
    Object get(String property) {
        if (reflector != null) {
            return invoke(reflector.getGetInvoker(property), NOTHING);
        }
        return other == null ? null : other.getValue(property);
    }

    void set(String property, Object value) {
        if (reflector != null) {
            invoke(reflector.getSetInvoker(property), value);
        } else if (other != null) {
            other.setValue(property, value);
        }
    }

    private @Nullable Object invoke(Invoker invoker, Object... arguments) {
        try {
            return invoker.invoke(object, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : failure(e.getCause());
        } catch (IllegalAccessException e) {
            throw failure(e);
        }
    }

    private ReflectionException failure(@Nullable Throwable cause) {
        return new ReflectionException(
                "An id could not be read or set: class=" + object.getClass().getName() + ", cause: " + cause, cause);
    }
}
