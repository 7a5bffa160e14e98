package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import java.util.List;
import org.hibernate.generator.Generator;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.Property;

/**
 * Replaces Hibernate's own generator for embedded objects by an {@link EmbeddedValueGenerator}. Hibernate's ignores
 * whether the generators of the properties allow updates: from 7.0 on it silently drops all updates of the object.
 */
public final class EmbeddedValues {

    private EmbeddedValues() {}

    /** Call it before Hibernate creates the generators of a SessionFactory. One mapping may have several of these. */
    public static void register(List<MappedProperty> columns) {
        for (MappedProperty column : columns) {
            String path = column.ids().path();
            int dot = path.indexOf('.');
            if (column.isValue() && dot > 0) {
                register(column, column.owner().getProperty(path.substring(0, dot)));
            }
        }
    }

    private static void register(MappedProperty column, Property embedded) {
        GeneratorCreator present = embedded.getValueGeneratorCreator();
        if (present != null && !(present instanceof Creator)) {
            throw new IdConfigurationException(
                    "A @DistributedValue must not be in an embedded object with its own generator, since Hibernate then"
                            + " calls only that generator: " + column.ids()
                            + ". Remove the other generator of " + embedded.getName());
        }
        embedded.setValueGeneratorCreator(new Creator(embedded.getName(), (Component) embedded.getValue()));
    }

    private record Creator(String property, Component component) implements GeneratorCreator {

        @Override
        public Generator createGenerator(GeneratorCreationContext context) {
            return EmbeddedValueGenerator.of(property, component, context);
        }
    }
}
