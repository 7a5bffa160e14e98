package io.distributedid.reactive;

import io.distributedid.hibernate.internal.generate.DistributedValueGenerator;
import io.distributedid.hibernate.internal.generate.SequenceValues;
import io.vertx.core.Context;
import java.util.EnumSet;
import java.util.concurrent.CompletionStage;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.EventType;
import org.hibernate.reactive.session.ReactiveConnectionSupplier;
import org.hibernate.reactive.stage.Stage;
import org.hibernate.reactive.stage.impl.StageSessionImpl;
import org.hibernate.reactive.tuple.StageGenerator;
import org.jspecify.annotations.Nullable;

/** Sets a property that is no id in a session of Hibernate Reactive; see {@link ReactiveIdGenerator}. Thread-safe. */
public final class ReactiveValueGenerator extends StageGenerator implements SequenceValues {

    private static final long serialVersionUID = 1L;

    private final DistributedValueGenerator usual;

    ReactiveValueGenerator(DistributedValueGenerator usual) {
        this.usual = usual;
    }

    @Override
    public CompletionStage<Object> generate(
            Stage.Session session, Object owner, @Nullable Object currentValue, EventType eventType) {
        SharedSessionContractImplementor inner = (SharedSessionContractImplementor)
                ((StageSessionImpl) session).unwrap(ReactiveConnectionSupplier.class);
        return EventLoop.stage(() -> usual.generateAsync(inner, owner, currentValue, EventLoop.here()));
    }

    /** Called by Hibernate where it can't wait. */
    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return Context.isOnEventLoopThread()
                ? EventLoop.now(usual.toString(), usual.generateAsync(session, owner, currentValue, EventLoop.here()))
                : usual.generate(session, owner, currentValue, eventType);
    }

    /** As {@link DistributedValueGenerator#allowMutation}. */
    public boolean allowMutation() {
        return usual.allowMutation();
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return usual.getEventTypes();
    }
}
