package io.distributedid.reactive;

import io.distributedid.hibernate.internal.generate.DistributedIdGenerator;
import io.distributedid.hibernate.internal.generate.DistributedValueGenerator;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.hibernate.generator.Generator;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * Lets the creators of generators make ours for Hibernate Reactive. Hibernate Reactive recognizes such generators by
 * types of its own, which the usual ones must not have: they also run without it.
 */
final class GeneratorExchange {

    private static final String CREATOR = "CustomIdGeneratorCreator";

    private GeneratorExchange() {}

    static void exchange(PersistentClass entity) {
        exchange(entity.getIdentifier());
        entity.getDeclaredProperties().forEach(GeneratorExchange::exchange);
    }

    private static void exchange(@Nullable Value id) {
        if (id instanceof SimpleValue value) {
            exchange(value);
        }
        if (id instanceof Component composite) {
            composite.getProperties().forEach(part -> exchange(part.getValue()));
        }
    }

    /** By reflection: the creator's type is another one in Hibernate 6.6 than in 7.0 and later. */
    private static void exchange(SimpleValue id) {
        try {
            Method getter = SimpleValue.class.getMethod("get" + CREATOR);
            Class<?> type = getter.getReturnType();
            Object creator = getter.invoke(id);
            if (creator != null && !Proxy.isProxyClass(creator.getClass())) {
                Object exchanging = Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> reactive(call(creator, method, arguments)));
                SimpleValue.class.getMethod("set" + CREATOR, type).invoke(id, exchanging);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This version of Hibernate does not let generators be replaced: " + e, e);
        }
    }

    private static @Nullable Object call(Object creator, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(creator, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static @Nullable Object reactive(@Nullable Object made) {
        return made instanceof DistributedIdGenerator generator ? new ReactiveIdGenerator(generator) : made;
    }

    private static void exchange(Property property) {
        GeneratorCreator creator = property.getValueGeneratorCreator();
        if (creator != null && !(creator instanceof Values)) {
            property.setValueGeneratorCreator(new Values(creator));
        }
    }

    private record Values(GeneratorCreator usual) implements GeneratorCreator {

        @Override
        public Generator createGenerator(GeneratorCreationContext context) {
            Generator made = usual.createGenerator(context);
            return made instanceof DistributedValueGenerator generator ? new ReactiveValueGenerator(generator) : made;
        }
    }
}
