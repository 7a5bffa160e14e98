package io.distributedid.hibernate.internal.generate;

import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.place.RememberedPlaces.IdSpace;
import io.distributedid.internal.registry.SequenceSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a property whose rows lie in the databases of tenants, whatever the ids depend on. Runs
 * {@link RememberedPlaces} on the database of a tenant before its first id, and again after each resume: the place may
 * have changed meanwhile. An id that was taken while a suspend began is dropped, since nothing was compared for it.
 * Thread-safe.
 */
final class TenantIds implements PropertyIds.RowSource {

    /**
     * The tenants that were compared.
     *
     * @param period see {@link SequenceSource#period}
     */
    private record Compared(Object period, Set<String> tenants) {}

    /** The database of one tenant. */
    private record Tenant(String tenant, JdbcConnectionAccess access) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return access.obtainConnection();
        }

        @Override
        public void release(Connection connection) throws SQLException {
            access.releaseConnection(connection);
        }

        @Override
        public String label() {
            return "tenant " + tenant;
        }
    }

    private final PropertyIds.RowSource ids;

    private final IdSource source;

    private final String sequence;

    private final UnitIds unit;

    private final Duration limit;

    private volatile Compared compared = new Compared(this, Set.of());

    /** @param source of {@code ids} */
    TenantIds(PropertyIds.RowSource ids, IdSource source, String sequence, UnitIds unit) {
        this.ids = ids;
        this.source = source;
        this.sequence = sequence;
        this.unit = unit;
        limit = BlockPolicy.of(unit.settings().forSequence(sequence)).timeout();
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public long next(SharedSessionContractImplementor session, @Nullable Object owner) {
        String tenant = session.getTenantIdentifier();
        if (tenant == null) {
            return ids.next(session, owner);
        }
        while (true) {
            Object period = SequenceSource.period(source);
            if (period != null) {
                require(tenant, period, session);
            }
            // If suspended, this waits.
            long id = ids.next(session, owner);
            if (period != null && SequenceSource.period(source) == period) {
                return id;
            }
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private void require(String tenant, Object period, SharedSessionContractImplementor session) {
        Compared known = compared;
        if (known.period != period) {
            known = new Compared(period, ConcurrentHashMap.newKeySet());
            compared = known;
        }
        if (!known.tenants.contains(tenant)) {
            Map<String, IdSpace> spaces = unit.spaces(Set.of(sequence));
            if (!spaces.isEmpty()) {
                RememberedPlaces.check(new Tenant(tenant, session.getJdbcConnectionAccess()), limit, spaces);
            }
            known.tenants.add(tenant);
        }
    }
}
