package io.distributedid.hibernate.internal.mapping;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hibernate.dialect.Dialect;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Value;

/**
 * A property of an embedded object that is stored as JSON, XML or a STRUCT. It has no column of its own, but a read
 * expression of Hibernate:
 *
 * <pre>
 * cast({&#64;}.invoice-&gt;&gt;'number' as bigint)    ({&#64;}.invoice).number
 * </pre>
 */
public final class AggregatedColumn {

    /** Hibernate's placeholder for the table's alias: up to 6.6, and later. */
    private static final Pattern ALIAS = Pattern.compile("(?:\\$PlaceHolder\\$|\\{@})\\.");

    private AggregatedColumn() {}

    public static boolean is(MappedProperty column) {
        List<Property> properties = column.owner().getProperties();
        for (String name : column.ids().path().split("\\.", -1)) {
            Optional<Value> value = properties.stream()
                    .filter(property -> property.getName().equals(name))
                    .map(Property::getValue)
                    .findFirst();
            if (value.isEmpty() || !(value.get() instanceof Component component)) {
                return false;
            }
            if (component.getAggregateColumn() != null) {
                return true;
            }
            properties = component.getProperties();
        }
        return false;
    }

    /** The property in SQL; empty if Hibernate has no expression for it. */
    public static Optional<String> sql(Column column, Dialect dialect) {
        return column.hasCustomRead()
                ? Optional.of(ALIAS.matcher(column.getReadExpr(dialect)).replaceAll(""))
                : Optional.empty();
    }
}
