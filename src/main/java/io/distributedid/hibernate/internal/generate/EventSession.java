package io.distributedid.hibernate.internal.generate;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.hibernate.event.spi.AbstractEvent;
import org.jspecify.annotations.Nullable;

/** Reads the session of an event. The return type of that method differs between versions of Hibernate. */
final class EventSession {

    private static final MethodHandle SESSION = session();

    private EventSession() {}

    private static MethodHandle session() {
        try {
            return MethodHandles.publicLookup()
                    .unreflect(AbstractEvent.class.getMethod("getSession"))
                    .asType(MethodType.methodType(Object.class, AbstractEvent.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This version of Hibernate has no events with a session", e);
        }
    }

    /** Null for an event of a {@code StatelessSession} up to Hibernate 7.1. */
    static @Nullable Object of(AbstractEvent event) {
        try {
            return (Object) SESSION.invokeExact(event);
        } catch (Throwable e) {
            throw new IllegalStateException("The session of an event can't be read", e);
        }
    }
}
