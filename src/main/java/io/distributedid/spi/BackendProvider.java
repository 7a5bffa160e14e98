package io.distributedid.spi;

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
     * Starts the backend. Opens nothing that {@link Backend#open} could open.
     *
     * @param context what the backend may use
     * @return the backend
     */
    Backend create(BackendContext context);
}
