package io.distributedid.internal.existing;

import io.distributedid.spi.LargestIds;

/**
 * A column, and which of its ids a sequence is compared with.
 *
 * @param table as in SQL
 * @param column as in SQL
 * @param form of ids in texts
 * @param step as in {@link LargestIds#read}
 * @param distance as in {@link LargestIds#read}
 */
public record IdColumn(String table, String column, IdForm form, long step, long distance) {

    /** The same column, of which the largest id alone is wanted. */
    IdColumn largest() {
        return new IdColumn(table, column, form, 1, 0);
    }
}
