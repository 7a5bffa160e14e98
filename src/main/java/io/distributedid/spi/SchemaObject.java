package io.distributedid.spi;

import java.util.function.UnaryOperator;

/**
 * What a backend needs in a database. A schema export creates it if it is missing, and never drops or empties it: other
 * applications may use the same one, and would get their ids twice without it. Immutable.
 */
public sealed interface SchemaObject {

    /**
     * Its name, by which an export knows it: it creates each once.
     *
     * @return as in SQL, perhaps with its schema
     */
    String name();

    /**
     * A table. Hibernate qualifies its name with the default catalog and schema.
     *
     * @param name as in SQL, perhaps with its schema
     * @param ddl makes {@code CREATE TABLE IF NOT EXISTS ...} of the qualified name
     */
    record Table(String name, UnaryOperator<String> ddl) implements SchemaObject {

        @Override
        public String createSql() {
            return ddl.apply(name);
        }
    }

    /**
     * Anything else, a function for example. It is created before the tables, whose columns may have it as DEFAULT.
     *
     * @param name as in SQL, perhaps with its schema
     * @param createSql a statement that changes nothing where the object exists
     */
    record SqlObject(String name, String createSql) implements SchemaObject {}

    /**
     * The statement that creates it unless it is there.
     *
     * @return for the name as it is
     */
    String createSql();
}
