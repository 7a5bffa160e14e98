package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.generator.Generator;
import org.hibernate.mapping.MetaAttribute;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a mapping in which Hibernate does not call our generator for an annotated property. {@code hbm.xml}, and from
 * 7.0 on {@code metadata-complete} XML, hide annotations: the id would be 0, or come from another generator. Also
 * refuses a mapping that names our generator by its class, which then has no annotation to read.
 */
public final class GeneratorCheck {

    /** The meta attribute of an entity that lists the id properties for which Hibernate created our generator. */
    private static final String GENERATED = "io.distributedid.generated";

    private static final String REASON =
            ", because Hibernate did not read it. Mapping files (hbm.xml, or metadata-complete in"
                    + " orm.xml) hide annotations: map the entity by annotations, or remove this one";

    private GeneratorCheck() {}

    /** Records that an id property has a generator. Later, Hibernate hides those of the parts of a composite id. */
    static void note(PersistentClass owner, String property) {
        Map<String, MetaAttribute> all = new LinkedHashMap<>();
        if (owner.getMetaAttributes() != null) {
            all.putAll(owner.getMetaAttributes());
        }
        MetaAttribute generated = all.computeIfAbsent(GENERATED, MetaAttribute::new);
        if (!generated.getValues().contains(property)) {
            generated.addValue(property);
        }
        owner.setMetaAttributes(all);
    }

    /** Call it when the SessionFactory has its generators. */
    public static void check(List<MappedProperty> columns, SessionFactoryImplementor factory) {
        factory.getMappingMetamodel().forEachEntityDescriptor(GeneratorCheck::requireAnnotation);
        for (MappedProperty column : columns) {
            boolean isPart = column.ids().path().indexOf('.') >= 0
                    || (!column.isValue() && column.owner().getIdentifierProperty() == null);
            Generator generator = generator(column, factory);
            if (column.isValue()) {
                boolean isAsked = column.property().getValueGeneratorCreator() != null
                        && (isPart || generator instanceof SequenceValues);
                require(isAsked, "@DistributedValue", column, generator);
            } else if (isPart) {
                MetaAttribute generated = column.owner().getMetaAttribute(GENERATED);
                boolean isAsked = generated != null
                        && generated.getValues().contains(column.ids().name());
                require(isAsked, "@DistributedId", column, null);
            } else {
                require(generator instanceof DistributedIdGenerator, "@DistributedId", column, generator);
            }
        }
    }

    /** The generator of the entity's id, or of its property that is or holds a value; null if there is none. */
    public static @Nullable Generator generator(MappedProperty column, SessionFactoryImplementor factory) {
        EntityPersister entity =
                factory.getMappingMetamodel().getEntityDescriptor(column.owner().getEntityName());
        if (!column.isValue()) {
            return entity.getGenerator();
        }
        AttributeMapping attribute =
                entity.findAttributeMapping(column.ids().path().split("\\.", 2)[0]);
        return attribute == null ? null : attribute.getGenerator();
    }

    private static void requireAnnotation(EntityPersister entity) {
        if (entity.getGenerator() instanceof DistributedIdGenerator generator && !generator.isInitialized()) {
            throw DistributedIdGenerator.withoutAnnotation(entity.getEntityName());
        }
    }

    private static void require(
            boolean isAsked, String annotation, MappedProperty column, @Nullable Generator generator) {
        if (!isAsked) {
            throw new IdConfigurationException("A " + annotation + " has no effect here: " + column.ids()
                    + " generator="
                    + (generator == null ? "none" : generator.getClass().getName()) + REASON);
        }
    }
}
