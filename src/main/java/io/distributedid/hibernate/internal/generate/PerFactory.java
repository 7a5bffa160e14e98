package io.distributedid.hibernate.internal.generate;

import java.util.function.Function;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/** What belongs to the SessionFactory that asked last, so that a persist() needs no look-up. Thread-safe. */
final class PerFactory<T> {

    private record Held<T>(SessionFactoryImplementor factory, T value) {}

    private final Function<SessionFactoryImplementor, T> create;

    private volatile @Nullable Held<T> held;

    PerFactory(Function<SessionFactoryImplementor, T> create) {
        this.create = create;
    }

    @SuppressWarnings("ReferenceEquality")
    T of(SessionFactoryImplementor factory) {
        Held<T> known = held;
        if (known == null || known.factory != factory) {
            known = new Held<>(factory, create.apply(factory));
            held = known;
        }
        return known.value;
    }
}
