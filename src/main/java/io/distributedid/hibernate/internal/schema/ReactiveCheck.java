package io.distributedid.hibernate.internal.schema;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.generate.GeneratorCheck;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.property.PerKey;
import java.util.List;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.generator.Generator;
import org.hibernate.reactive.id.ReactiveIdentifierGenerator;
import org.hibernate.reactive.tuple.StageGenerator;

/** Refuses mappings of Hibernate Reactive whose ids need a JDBC connection, or would make an event loop wait. */
final class ReactiveCheck {

    private ReactiveCheck() {}

    static void requireSupported(List<MappedProperty> columns) {
        for (MappedProperty column : columns) {
            if (column.perKey().map(PerKey::gapless).orElse(false)) {
                throw new IdConfigurationException("Hibernate Reactive has no JDBC connection on which numbers without"
                        + " gaps could be taken: " + column.ids()
                        + ". Leave out gapless = true, or use Hibernate ORM");
            }
            if (column.isValue() && column.ids().path().indexOf('.') >= 0) {
                throw new IdConfigurationException("Hibernate Reactive can't wait for a number in an embedded object: "
                        + column.ids() + ". Put @DistributedValue on a property of the entity itself");
            }
        }
    }

    /** Call it when the SessionFactory has its generators. */
    static void requireReactive(List<MappedProperty> columns, SessionFactoryImplementor factory) {
        for (MappedProperty column : columns) {
            Generator generator = GeneratorCheck.generator(column, factory);
            if (!(generator instanceof ReactiveIdentifierGenerator) && !(generator instanceof StageGenerator)) {
                throw new IdConfigurationException("This version of Hibernate Reactive would wait for an id on its"
                        + " event loop: "
                        + column.ids() + " generator="
                        + (generator == null ? "none" : generator.getClass().getName())
                        + (column.owner().getIdentifierProperty() == null
                                        || column.ids().path().indexOf('.') >= 0
                                ? ". For composite ids, use Hibernate Reactive 3"
                                : ""));
            }
        }
    }
}
