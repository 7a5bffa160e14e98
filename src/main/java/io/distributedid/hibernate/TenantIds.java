package io.distributedid.hibernate;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.counter.IdSpaceCheck;
import io.distributedid.internal.process.OwnThread;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a property whose rows lie in the databases of tenants: each of these is shown to {@link IdSpaceCheck} before its first id.
 * Thread-safe.
 */
final class TenantIds implements RowIds {

    private final RowIds ids;

    private final String sequence;

    private final DistributedIdService service;

    private final Set<String> checked = ConcurrentHashMap.newKeySet();

    private TenantIds(RowIds ids, String sequence, DistributedIdService service) {
        this.ids = ids;
        this.sequence = sequence;
        this.service = service;
    }

    /** As they are, if there are no tenants, or nothing to remember of the sequence. */
    static RowIds of(RowIds ids, String sequence, DistributedIdService service) {
        boolean isForTenants = service.ownDatabase().isEmpty();
        return isForTenants && service.ids().token(sequence).isPresent() ? new TenantIds(ids, sequence, service) : ids;
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
            OwnThread.call(() -> {
                Connection connection = access.obtainConnection();
                try {
                    IdSpaceCheck.check(
                            ExistingIdsCheck.spaces(Set.of(sequence), service),
                            connection,
                            Optional.empty(),
                            "tenant " + tenant);
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
