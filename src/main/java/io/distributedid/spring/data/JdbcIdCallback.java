package io.distributedid.spring.data;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CollectionFactory;
import org.springframework.core.Ordered;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Gives ids to an aggregate and to the entities in it before Spring Data JDBC saves it. Spring Data has decided by then
 * whether the aggregate is new, so that a save stays one INSERT. Immutable objects are replaced by copies, and their
 * collections too.
 */
final class JdbcIdCallback implements BeforeConvertCallback<Object>, Ordered {

    /** After Spring Data's auditing (100), which takes an aggregate with an id for an old one. */
    static final int ORDER = 200;

    private final Aggregates aggregates;

    JdbcIdCallback(Aggregates aggregates) {
        this.aggregates = aggregates;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Object onBeforeConvert(Object aggregate) {
        return complete(aggregate, true);
    }

    private Object complete(Object instance, boolean isRoot) {
        Aggregate known = aggregates.of(instance.getClass());
        if (known.isPlain()) {
            return instance;
        }
        PersistentPropertyAccessor<Object> values = known.entity().getPropertyAccessor(instance);
        for (GeneratedProperty each : known.missing(instance, values, isRoot)) {
            values.setProperty(
                    each.property(), each.convert(aggregates.source(each).next()));
        }
        for (RelationalPersistentProperty part : known.parts()) {
            completePart(part, values);
        }
        return values.getBean();
    }

    @SuppressWarnings("ReferenceEquality")
    private void completePart(RelationalPersistentProperty part, PersistentPropertyAccessor<Object> values) {
        Object before = values.getProperty(part);
        Object after = completed(before);
        if (after != before) {
            values.setProperty(part, after);
        }
    }

    /** The same object, unless it is or holds an immutable one. */
    private @Nullable Object completed(@Nullable Object part) {
        if (part instanceof Collection<?> elements) {
            return completed(elements);
        }
        if (part instanceof Map<?, ?> entries) {
            return completed(entries);
        }
        return part == null ? null : complete(part, false);
    }

    @SuppressWarnings("ReferenceEquality")
    private Collection<?> completed(Collection<?> before) {
        Collection<Object> after = CollectionFactory.createApproximateCollection(before, before.size());
        boolean isChanged = false;
        for (Object element : before) {
            Object completed = completed(element);
            isChanged |= completed != element;
            after.add(completed);
        }
        return isChanged ? after : before;
    }

    @SuppressWarnings("ReferenceEquality")
    private Map<?, ?> completed(Map<?, ?> before) {
        Map<Object, Object> after = CollectionFactory.createApproximateMap(before, before.size());
        boolean isChanged = false;
        for (Map.Entry<?, ?> entry : before.entrySet()) {
            Object completed = completed(entry.getValue());
            isChanged |= completed != entry.getValue();
            after.put(entry.getKey(), completed);
        }
        return isChanged ? after : before;
    }
}
