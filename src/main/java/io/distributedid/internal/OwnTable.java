package io.distributedid.internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A table of ours that lies in the application's own database, as a schema export needs to know it.
 *
 * @param name perhaps with its schema
 * @param columns in the order of the DDL; the first is the primary key, none may be NULL
 */
public record OwnTable(String name, List<Column> columns) {

    /**
     * A column.
     *
     * @param name as in SQL
     * @param length of a text; empty for a whole number of 64 bits
     * @param sqlTypes the type where it is not what the database has for such values
     * @param defaultValue as in SQL
     */
    public record Column(
            String name,
            Optional<Integer> length,
            Map<DatabaseProduct, String> sqlTypes,
            Optional<String> defaultValue) {

        /**
         * A text.
         *
         * @param name as in SQL
         * @param length the most characters
         * @return the column
         */
        public static Column text(String name, int length) {
            return new Column(name, Optional.of(length), Map.of(), Optional.empty());
        }

        /**
         * A whole number of 64 bits.
         *
         * @param name as in SQL
         * @return the column
         */
        public static Column number(String name) {
            return new Column(name, Optional.empty(), Map.of(), Optional.empty());
        }
    }
}
