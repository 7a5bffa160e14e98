package io.distributedid.eclipselink;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdType;
import java.math.BigDecimal;
import java.util.Set;
import org.eclipse.persistence.descriptors.DescriptorEvent;
import org.eclipse.persistence.descriptors.DescriptorEventAdapter;
import org.eclipse.persistence.internal.sessions.AbstractSession;
import org.jspecify.annotations.Nullable;

/**
 * Refuses an id that the application has set, unless ids may be assigned: EclipseLink itself keeps it, and a later
 * generated id could be the same. {@code persist} refuses it at once; the flush refuses what {@code merge} and
 * {@code @PrePersist} have set. Sets a number that is no id when its row is inserted.
 */
final class IdEvents extends DescriptorEventAdapter {

    private final GeneratedProperty property;

    IdEvents(GeneratedProperty property) {
        this.property = property;
    }

    /** EclipseLink has generated the id before, unless the entity is merged: then it does so later. */
    @Override
    public void prePersist(DescriptorEvent event) {
        if (!property.isValue()) {
            Object id = current(event);
            if (!IdType.isNone(id) && !property.isAssigned() && !issued(event).contains(number(id))) {
                throw notIssued(id);
            }
        }
    }

    @Override
    public void preInsert(DescriptorEvent event) {
        if (!property.isValue()) {
            Object id = current(event);
            if (IdType.isNone(id)) {
                throw new IdConfigurationException("EclipseLink keeps a value that means \"no id\": "
                        + property + " has " + text(id)
                        + ". Leave it null, and do not set eclipselink.allow-zero-id or @PrimaryKey(validation)");
            }
            if (!property.isAssigned() && !issued(event).remove(number(id))) {
                throw notIssued(id);
            }
        }
    }

    /** After the row was made, so that it gets the number too. */
    @Override
    public void aboutToInsert(DescriptorEvent event) {
        if (property.isValue() && IdType.isNone(current(event))) {
            Object number = property.format().convert(property.next());
            event.updateAttributeWithObject(property.attribute(), property.converted(number, session(event)));
        }
    }

    private Set<Long> issued(DescriptorEvent event) {
        return property.issued(session(event));
    }

    private IdConfigurationException notIssued(@Nullable Object id) {
        return new IdConfigurationException("An entity must not have an id before it is given one: " + property
                + " has " + id + ". Leave it null, or keep such ids with @DistributedId(assigned = true)");
    }

    private static String text(@Nullable Object id) {
        return id instanceof String text ? '"' + text + '"' : String.valueOf(id);
    }

    /** The id as it is written into the row. */
    private @Nullable Object current(DescriptorEvent event) {
        return event.getDescriptor()
                .getObjectBuilder()
                .extractValueFromObjectForField(event.getSource(), property.field(), session(event));
    }

    private static AbstractSession session(DescriptorEvent event) {
        return event.getSession();
    }

    /** -1 if it is no id of a sequence. */
    private static Long number(@Nullable Object id) {
        if (id instanceof Long number) {
            return number;
        }
        try {
            return id == null ? -1L : new BigDecimal(id.toString()).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            return -1L;
        }
    }
}
