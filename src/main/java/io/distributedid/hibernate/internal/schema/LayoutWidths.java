package io.distributedid.hibernate.internal.schema;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.spi.Setting;
import java.util.List;

/**
 * Refuses columns that do not hold the ids of a layout, where sequences are not opened at start. It opens nothing, and
 * reads the settings alone. What is wrong in these, and layouts that only a server knows, are left to the first id.
 */
final class LayoutWidths {

    private LayoutWidths() {}

    static void check(List<MappedProperty> columns, DistributedIds ids) {
        columns.forEach(column -> check(column.ids(), ids));
    }

    private static void check(AnnotatedProperty property, DistributedIds ids) {
        long maxValue = property.conversion().maxValue();
        if (maxValue == Long.MAX_VALUE || !isLaidOut(property.sequence(), ids)) {
            return;
        }
        long largest = ids.time(property.sequence()).maxId();
        if (largest > maxValue) {
            throw new IdConfigurationException("The ids of a layout must fit: " + property
                    + property.conversion().limit() + " stores up to " + maxValue + ", the layout gives up to "
                    + largest + ". Map the property to a 64-bit type, or set " + Setting.SEQUENCE_PREFIX
                    + property.sequence() + ".backend to ticket or sequence_table");
        }
    }

    /** Whether the settings alone tell the layout. A service is asked for it, and has no such check. */
    private static boolean isLaidOut(String sequence, DistributedIds ids) {
        return ids.admin()
                .checkAbove(sequence, 0)
                .filter(result -> result.status() == CheckResult.Status.OK)
                .isPresent();
    }
}
