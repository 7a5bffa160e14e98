package io.distributedid.spi;

import java.util.Optional;

/**
 * The database for which {@link BackendProvider#schema} is asked. Immutable.
 *
 * @param product whose SQL is wanted
 * @param isApplications whether it is the application's own database: only what lies there is wanted. Otherwise it is a
 *     server of the backend
 * @param isTenants whether every connection to it belongs to a tenant
 * @param defaultSchema where objects lie whose name has no schema; empty for that of the connection
 */
public record SchemaTarget(
        DatabaseProduct product, boolean isApplications, boolean isTenants, Optional<String> defaultSchema) {

    /**
     * A server of the backend.
     *
     * @param product whose SQL is wanted
     * @return the target
     */
    public static SchemaTarget server(DatabaseProduct product) {
        return new SchemaTarget(product, false, false, Optional.empty());
    }
}
