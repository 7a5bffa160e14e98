package io.distributedid.reactive;

import io.distributedid.hibernate.internal.generate.DistributedIdGenerator;
import io.vertx.core.Context;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletionStage;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.EventType;
import org.hibernate.reactive.id.ReactiveIdentifierGenerator;
import org.hibernate.reactive.session.ReactiveConnectionSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives an entity its id in a session of Hibernate Reactive. An id that is in memory is there at once. The others are
 * waited for on a thread of the library, and what follows runs on the session's event loop. Thread-safe.
 *
 * <p>A {@code StatelessSession} passes itself in place of the entity. Hibernate Reactive 3 asks
 * {@link #generatedBeforeExecution} right before, on the same thread, and passes the entity there. Hibernate Reactive 2
 * does not: the entity stays unknown.
 */
public final class ReactiveIdGenerator extends DistributedIdGenerator implements ReactiveIdentifierGenerator<Object> {

    private static final long serialVersionUID = 1L;

    private record Asked(SharedSessionContractImplementor session, WeakReference<Object> entity) {}

    /** The last question of this thread for a {@code StatelessSession}, until the id is taken. */
    @SuppressWarnings("ThreadLocalUsage") // Each object has its own.
    private final transient ThreadLocal<@Nullable Asked> asked = new ThreadLocal<>();

    ReactiveIdGenerator(DistributedIdGenerator initialized) {
        super(initialized);
    }

    /** Called by Hibernate 7.0 and later. */
    public boolean generatedBeforeExecution(Object entity, SharedSessionContractImplementor session) {
        if (session instanceof StatelessSession) {
            asked.set(new Asked(session, new WeakReference<>(entity)));
        }
        return true;
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public CompletionStage<Object> generate(ReactiveConnectionSupplier connection, Object owner) {
        SharedSessionContractImplementor session = (SharedSessionContractImplementor) connection;
        Object entity = owner != session ? owner : askedFor(session);
        return EventLoop.stage(() -> {
            requireKnown(session, entity);
            return generateAsync(session, entity, EventLoop::here);
        });
    }

    @SuppressWarnings("ReferenceEquality")
    private @Nullable Object askedFor(SharedSessionContractImplementor session) {
        Asked last = asked.get();
        asked.remove();
        return last != null && last.session == session ? last.entity.get() : null;
    }

    /** Called by Hibernate where it can't wait, for example for an HQL insert. */
    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return Context.isOnEventLoopThread()
                ? EventLoop.now(toString(), generateAsync(session, owner, EventLoop::here))
                : super.generate(session, owner, currentValue, eventType);
    }
}
