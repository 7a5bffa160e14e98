package io.distributedid.spi;

import java.util.function.UnaryOperator;

/**
 * A table, function or other object that a backend needs in a database. A schema export creates it if it is missing,
 * and never drops or empties it: other applications may use it, and would then get their ids again. Immutable.
 */
public sealed interface SchemaObject {

    /**
     * Returns the name, which identifies the object: an export creates each name once.
     *
     * @return as in SQL, perhaps with its schema
     */
    String name();

    /**
     * A table. Hibernate qualifies its name with the default catalog and schema.
     *
     * @param name as in SQL, perhaps with its schema
     * @param ddl turns the qualified name into {@code CREATE TABLE IF NOT EXISTS ...}
     */
    record Table(String name, UnaryOperator<String> ddl) implements SchemaObject {

        @Override
        public String createSql() {
            return ddl.apply(name);
        }
    }

    /**
     * Another object, for example a function. It is created before the tables, whose columns may use it as DEFAULT.
     *
     * @param name as in SQL, perhaps with its schema
     * @param createSql a statement that changes nothing if the object exists
     */
    record SqlObject(String name, String createSql) implements SchemaObject {}

    /**
     * Returns the statement that creates the object if it is missing.
     *
     * @return with {@link #name} as it is
     */
    String createSql();
}
