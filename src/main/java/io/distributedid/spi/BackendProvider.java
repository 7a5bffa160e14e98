package io.distributedid.spi;

import java.util.List;
import java.util.Set;

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
     * @return full names, {@code distributedid.} included
     */
    Set<String> settings();

    /**
     * The tables that the backend needs on its servers.
     *
     * @param settings of one sequence, or of all
     * @param database whose SQL is wanted: {@code mysql}, {@code mariadb}, {@code postgresql} or {@code h2}
     * @return statements, in order; none if it needs no table
     * @throws io.distributedid.IdConfigurationException if the database can't hold them
     */
    default List<String> ddl(Settings settings, String database) {
        return List.of();
    }

    /**
     * Starts the backend. Opens nothing that {@link Backend#open} could open.
     *
     * @param context what the backend may use
     * @return the backend
     */
    Backend create(BackendContext context);
}
