package io.distributedid.hibernate.internal;

import org.hibernate.reactive.provider.impl.ReactiveModeCheck;
import org.hibernate.service.ServiceRegistry;

/** Whether a persistence unit belongs to Hibernate Reactive, which has no JDBC connections and must not wait. */
public final class ReactiveMode {

    private ReactiveMode() {}

    /** False if Hibernate Reactive is not on the class path. */
    public static boolean is(ServiceRegistry registry) {
        try {
            return ReactiveModeCheck.isReactiveRegistry(registry);
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }
}
