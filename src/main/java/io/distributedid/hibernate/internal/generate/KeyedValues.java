package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.registry.WaitingCallers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.mapping.PersistentClass;

/**
 * The numbers per key of one SessionFactory. A flush of a session takes those of all its rows together, see
 * {@link FlushNumbers}. Other inserts take one number a row: those of a {@code StatelessSession}, and those that
 * {@code persist()} does at once since the database makes the id. Thread-safe.
 */
public final class KeyedValues {

    private final Map<String, List<KeyedColumn>> byEntity;

    private final UnitIds unit;

    private final Map<SharedSessionContractImplementor, FlushNumbers> flushes =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** By sequence. */
    private final Map<String, WaitingCallers> waiting = new ConcurrentHashMap<>();

    private final GaplessInserts inserts = new GaplessInserts();

    private KeyedValues(Map<String, List<KeyedColumn>> byEntity, UnitIds unit) {
        this.byEntity = byEntity;
        this.unit = unit;
    }

    /** Keeps them for a new SessionFactory. */
    public static void open(List<MappedProperty> columns, SessionFactoryImplementor factory) {
        Map<String, List<KeyedColumn>> byEntity = new HashMap<>();
        for (MappedProperty column : columns) {
            for (PersistentClass entity : column.owner().getSubclassClosure()) {
                byEntity.computeIfAbsent(entity.getEntityName(), any -> new ArrayList<>())
                        .add(KeyedColumn.of(column, entity.getEntityName(), factory));
            }
        }
        UnitIds unit = UnitIds.of(factory);
        unit.keep(KeyedValues.class, new KeyedValues(byEntity, unit));
    }

    static KeyedValues of(SessionFactoryImplementor factory) {
        return UnitIds.of(factory)
                .kept(KeyedValues.class)
                .orElseThrow(() -> new IllegalStateException("The SessionFactory is not created yet"));
    }

    /** The properties of an entity. */
    List<KeyedColumn> of(String entity) {
        return byEntity.getOrDefault(entity, List.of());
    }

    KeyedNumbers sequence(String name) {
        return (KeyedNumbers) unit.ids().keyed(name);
    }

    /** The next number for a property of a row that is being inserted. */
    long next(SharedSessionContractImplementor session, Object owner, KeyedColumn column) {
        FlushKey key = column.require(owner, session);
        if (!session.getPersistenceContextInternal().isFlushing()) {
            return column.per().gapless() ? nextGapless(session, owner, column, key) : take(session, column, key, 1)[0];
        }
        return flushes.computeIfAbsent(session, any -> new FlushNumbers(this, null))
                .next(column, key, session);
    }

    private long nextGapless(SharedSessionContractImplementor session, Object owner, KeyedColumn column, FlushKey key) {
        if (session.isTransactionInProgress()) {
            inserts.require(session, owner, column);
        }
        long number = take(session, column, key, 1)[0];
        inserts.took(session, owner, column);
        return number;
    }

    /** As {@link #next} for one row, without waiting. Not for numbers without gaps. */
    CompletionStage<Long> nextAsync(SharedSessionContractImplementor session, Object owner, KeyedColumn column) {
        FlushKey key = column.require(owner, session);
        KeyedNumbers sequence = sequence(key.sequence());
        String text = sequence.key(key.key());
        OptionalLong atOnce = sequence.tryLast(text, 1);
        return atOnce.isPresent()
                ? CompletableFuture.completedFuture(atOnce.getAsLong())
                : waiting.computeIfAbsent(key.sequence(), any -> new WaitingCallers())
                        .add(() -> sequence.last(text, 1));
    }

    /** After a row was inserted. */
    void inserted(Object entity) {
        inserts.inserted(entity);
    }

    /**
     * A flush begins, perhaps within another one: a query in a callback of an insert flushes too, and may insert rows
     * of the outer flush. Otherwise drops what a failed flush has left, unless numbers without gaps are among it: their
     * flush may also be at its end, where an {@code Interceptor} may query.
     *
     * @param event the same when it ends
     */
    void begin(SharedSessionContractImplementor session, Object event) {
        FlushNumbers numbers = flushes.get(session);
        if (numbers == null || !session.getPersistenceContextInternal().isFlushing()) {
            boolean isOpen = numbers != null && inserts.isOpen(session, numbers);
            numbers = new FlushNumbers(this, isOpen ? numbers : null);
            flushes.put(session, numbers);
        }
        numbers.begin(event);
    }

    /** A flush has succeeded. Hibernate has then forgotten that an outer one goes on. */
    void end(SharedSessionContractImplementor session, Object event) {
        FlushNumbers numbers = flushes.get(session);
        while (numbers != null && !numbers.has(event)) {
            numbers = numbers.before();
        }
        if (numbers == null) {
            return;
        }
        if (numbers.end(event)) {
            if (numbers.before() == null) {
                flushes.remove(session);
            } else {
                flushes.put(session, numbers.before());
            }
            numbers.giveBack(session);
            if (!numbers.hasFailedWithin()) {
                inserts.ended(session, numbers);
            }
        } else {
            session.getPersistenceContextInternal().setFlushing(true);
        }
    }

    /** As {@link #take}, for rows of a flush. */
    long[] take(
            FlushNumbers flush, SharedSessionContractImplementor session, KeyedColumn column, FlushKey key, int count) {
        if (!column.per().gapless()) {
            return take(session, column, key, count);
        }
        inserts.require(session, flush);
        long[] numbers = take(session, column, key, count);
        inserts.took(session, flush, column);
        return numbers;
    }

    private long[] take(SharedSessionContractImplementor session, KeyedColumn column, FlushKey key, int count) {
        KeyedNumbers sequence = sequence(key.sequence());
        try {
            if (!column.per().gapless()) {
                return sequence.next(key.key(), count);
            }
            if (!session.isTransactionInProgress()) {
                throw new IdConfigurationException("Numbers without gaps need a transaction. Begin one, and commit it");
            }
            return session.doReturningWork(connection -> sequence.next(key.key(), count, connection));
        } catch (IdConfigurationException | IllegalArgumentException e) {
            throw new IdConfigurationException(
                    column.property() + " per=" + column.per().path() + ": " + e.getMessage(), e);
        }
    }
}
