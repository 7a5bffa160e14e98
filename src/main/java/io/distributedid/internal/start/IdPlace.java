package io.distributedid.internal.start;

import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.IdForm;
import java.util.Optional;

/**
 * A column that stores ids of a sequence.
 *
 * @param path from the entity to the property
 * @param padded whether it holds texts that are padded with zeros
 * @param assigned whether the application may set the id
 * @param table as in SQL
 * @param column as in SQL
 * @param rewrittenBy what writes other values than the ids to the column, so that SQL does not know their order; empty
 *     if the column holds the ids
 */
public record IdPlace(
        String entity,
        String path,
        String sequence,
        boolean padded,
        boolean assigned,
        String table,
        String column,
        Optional<String> rewrittenBy) {

    /** The column, of which the largest id is wanted. */
    IdColumn largest() {
        return column(1, 0);
    }

    /** The column, of which the largest id of each remainder is wanted. */
    IdColumn column(long step, long distance) {
        return new IdColumn(table, column, padded ? IdForm.PADDED : IdForm.DECIMAL, step, distance);
    }
}
