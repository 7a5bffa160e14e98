package io.distributedid.spi;

import java.util.Collection;
import java.util.List;

/**
 * Creates a {@link Backend}. Found by {@link java.util.ServiceLoader}, or by its class name as the value of
 * {@code distributedid.backend}; the class then needs a public constructor without parameters.
 */
public interface BackendProvider {

    /**
     * Returns the name of the backend in settings.
     *
     * @return lower case, for example {@code ticket}
     */
    String name();

    /**
     * Returns the settings that the backend reads. Other names are refused as misspelt.
     *
     * @return the declarations with which it reads them
     */
    Collection<Setting<?>> settings();

    /**
     * Lists the tables and functions that the backend needs in a database: for Hibernate's schema export, and for
     * operators.
     *
     * @param settings of one sequence, or of all
     * @param target the database
     * @return in the order of creation; empty if the backend needs nothing there
     * @throws io.distributedid.IdConfigurationException if the database can't hold them
     */
    default List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        return List.of();
    }

    /**
     * Returns whether the backend has a {@link Maintenance#token}. The application's database then gets a table that
     * remembers the token.
     *
     * @param settings of one sequence, or of all
     * @return by default false
     */
    default boolean hasToken(Settings settings) {
        return false;
    }

    /**
     * Starts the backend. Whatever {@link Backend#open} can open is left to that method.
     *
     * @param context the services that the backend may use
     * @return running
     */
    Backend create(BackendContext context);
}
