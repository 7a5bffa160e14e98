package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.internal.counter.IdSpaceCheck;
import io.distributedid.internal.process.LibraryThread;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a property whose rows lie in the databases of tenants, whatever the ids depend on. Runs
 * {@link IdSpaceCheck} on each database before its first id. Thread-safe.
 */
final class TenantIds implements PropertyIds.RowSource {

    private final PropertyIds.RowSource ids;

    private final String sequence;

    private final UnitIds unit;

    private final Set<String> checked = ConcurrentHashMap.newKeySet();

    TenantIds(PropertyIds.RowSource ids, String sequence, UnitIds unit) {
        this.ids = ids;
        this.sequence = sequence;
        this.unit = unit;
    }

    @Override
    public long next(SharedSessionContractImplementor session, @Nullable Object owner) {
        String tenant = session.getTenantIdentifier();
        if (tenant != null && !checked.contains(tenant)) {
            check(session.getJdbcConnectionAccess(), tenant);
            checked.add(tenant);
        }
        return ids.next(session, owner);
    }

    private void check(JdbcConnectionAccess access, String tenant) {
        try {
            LibraryThread.call(() -> {
                Connection connection = access.obtainConnection();
                try {
                    IdSpaceCheck.check(unit.spaces(Set.of(sequence)), connection, Optional.empty(), "tenant " + tenant);
                } finally {
                    access.releaseConnection(connection);
                }
                return tenant;
            });
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The database of a tenant can't be read: tenant=" + tenant + " said: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while reading the database of a tenant: " + tenant, e);
        }
    }
}
