package io.distributedid.spi;

import java.util.Collection;
import java.util.List;

/**
 * Makes a {@link Backend} known: found by {@link java.util.ServiceLoader}, or by its class name given as
 * {@link io.distributedid.DistributedIdSettings#BACKEND}, then with a public constructor without parameters.
 */
public interface BackendProvider {

    /**
     * The name by which the backend is configured.
     *
     * @return lower case, for example {@code ticket}
     */
    String name();

    /**
     * The settings that the backend reads, so that misspelt ones are noticed.
     *
     * @return the declarations with which it reads them
     */
    Collection<Setting<?>> settings();

    /**
     * The tables and functions that the backend needs in a database: for Hibernate's schema export, and for operators.
     *
     * @param settings of one sequence, or of all
     * @param target the database
     * @return in the order in which they are created; none if it needs none there
     * @throws io.distributedid.IdConfigurationException if the database can't hold them
     */
    default List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        return List.of();
    }

    /**
     * Whether {@link Backend#token} says where ids come from. The application's database then has a table that
     * remembers it.
     *
     * @param settings of one sequence, or of all
     * @return by default false
     */
    default boolean hasToken(Settings settings) {
        return false;
    }

    /**
     * Starts the backend. Opens nothing that {@link Backend#open} could open.
     *
     * @param context what the backend may use
     * @return the backend
     */
    Backend create(BackendContext context);
}
