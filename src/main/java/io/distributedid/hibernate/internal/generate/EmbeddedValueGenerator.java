package io.distributedid.hibernate.internal.generate;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.Generator;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Value;
import org.hibernate.metamodel.mapping.EmbeddableMappingType;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.ComponentType;
import org.jspecify.annotations.Nullable;

/**
 * Generates the properties of an embedded object, ours and others, as Hibernate's own generator does. Unlike that one,
 * it allows updates of the object. See {@link EmbeddedValues}. Thread-safe.
 *
 * <p>An object in which the database generates a property is left to Hibernate: 7.4 and later support the mixture, and
 * older versions refuse it.
 */
final class EmbeddedValueGenerator implements BeforeExecutionGenerator {

    private static final long serialVersionUID = 1L;

    /** A generated property, by its index in the object. */
    private record Part(int index, BeforeExecutionGenerator generator) {}

    private final String property;

    private final ComponentType type;

    private final transient List<Part> parts;

    private final EnumSet<EventType> events;

    private EmbeddedValueGenerator(String property, ComponentType type, List<Part> parts, EnumSet<EventType> events) {
        this.property = property;
        this.type = type;
        this.parts = parts;
        this.events = events;
    }

    /** @param property the object in its entity */
    static EmbeddedValueGenerator of(String property, Component component, GeneratorCreationContext context) {
        List<Part> parts = new ArrayList<>();
        EnumSet<EventType> events = EnumSet.noneOf(EventType.class);
        List<Property> properties = component.getProperties();
        for (int i = 0; i < properties.size(); i++) {
            Generator generator = generator(property, properties.get(i), context);
            if (generator == null || !generator.generatesSometimes()) {
                continue;
            }
            if (generator.generatedOnExecution()) {
                return new EmbeddedValueGenerator(
                        property, (ComponentType) component.getType(), List.of(), EventTypeSets.NONE);
            }
            parts.add(new Part(i, (BeforeExecutionGenerator) generator));
            events.addAll(generator.getEventTypes());
        }
        return new EmbeddedValueGenerator(property, (ComponentType) component.getType(), List.copyOf(parts), events);
    }

    private static @Nullable Generator generator(String object, Property property, GeneratorCreationContext context) {
        GeneratorCreator creator = property.getValueGeneratorCreator();
        return creator == null
                ? null
                : creator.createGenerator(new Context(context, property, object + "." + property.getName()));
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return fill(session, owner, object(session, owner, currentValue, eventType), eventType);
    }

    /**
     * The object to set. A {@code Session} passes a copy that it made when the entity was persisted, and sets what this
     * generator returns: a new copy, or changes since then would be lost. Not the entity's own object, which another
     * entity may share, so that both would get one number.
     */
    @SuppressWarnings("ReferenceEquality")
    private @Nullable Object object(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        if (eventType != EventType.INSERT) {
            return currentValue;
        }
        Object own = session.getEntityPersister(null, owner).getPropertyValue(owner, property);
        return own == null || own == currentValue ? currentValue : type.deepCopy(own, session.getFactory());
    }

    @SuppressWarnings("ReferenceEquality")
    private Object fill(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        EmbeddableMappingType mapping = type.getMappingModelPart().getEmbeddableTypeDescriptor();
        @Nullable Object[] generated = new @Nullable Object[type.getSubtypes().length];
        for (Part part : parts) {
            BeforeExecutionGenerator generator = part.generator;
            if (!generator.getEventTypes().contains(eventType) || generator.generatedOnExecution(owner, session)) {
                continue;
            }
            Object current = currentValue == null ? null : mapping.getValue(currentValue, part.index);
            Object value = generator.generate(session, owner, current, eventType);
            if (currentValue == null) {
                generated[part.index] = type.getSubtypes()[part.index].disassemble(value, session, owner);
            } else if (value != current) {
                mapping.setValue(currentValue, part.index, value);
            }
        }
        return currentValue == null ? type.assemble(generated, session, owner) : currentValue;
    }

    /** From the entity to the property that a generator is created for. */
    static String path(GeneratorCreationContext context) {
        return context instanceof Context within
                ? within.path
                : context.getProperty().getName();
    }

    /** True, as in Hibernate 7.4: the whole object can be updated if one property can. Not called by 6.6. */
    public boolean allowMutation() {
        return true;
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return events;
    }

    /** The mapping of a property within the object, for its generator. */
    @SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"})
    private record Context(GeneratorCreationContext embedded, Property property, String path)
            implements GeneratorCreationContext {

        @Override
        public Database getDatabase() {
            return embedded.getDatabase();
        }

        @Override
        public ServiceRegistry getServiceRegistry() {
            return embedded.getServiceRegistry();
        }

        @Override
        public String getDefaultCatalog() {
            return embedded.getDefaultCatalog();
        }

        @Override
        public String getDefaultSchema() {
            return embedded.getDefaultSchema();
        }

        @Override
        public PersistentClass getPersistentClass() {
            return embedded.getPersistentClass();
        }

        @Override
        public Property getProperty() {
            return property;
        }

        /** Called by Hibernate 7.0 and later. */
        public RootClass getRootClass() {
            return embedded.getPersistentClass().getRootClass();
        }

        /** Called by Hibernate 7.2 and later. */
        public Value getValue() {
            return property.getValue();
        }
    }
}
