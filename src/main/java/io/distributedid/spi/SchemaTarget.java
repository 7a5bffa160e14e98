package io.distributedid.spi;

import java.util.Optional;

/**
 * The database for which {@link BackendProvider#schema} lists objects. Immutable.
 *
 * @param product the SQL dialect
 * @param isApplications whether this is the application's own database, and only objects there are listed. Otherwise it
 *     is a server of the backend
 * @param isTenants whether every connection to it belongs to a tenant
 * @param defaultSchema the schema of objects whose name has none; empty for the schema of the connection
 */
public record SchemaTarget(
        DatabaseProduct product, boolean isApplications, boolean isTenants, Optional<String> defaultSchema) {

    /**
     * Creates the target for a server of the backend.
     *
     * @param product the SQL dialect
     * @return not the application's database, without tenants
     */
    public static SchemaTarget server(DatabaseProduct product) {
        return new SchemaTarget(product, false, false, Optional.empty());
    }
}
