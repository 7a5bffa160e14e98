package io.distributedid.hibernate;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.shard.ShardOrigin;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardedIdSource;
import java.util.Optional;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** The ids of one annotated property in one SessionFactory, whatever the row must be asked for. Thread-safe. */
@FunctionalInterface
interface RowIds {

    /**
     * The id of a row.
     *
     * @param session that writes it
     * @param owner the entity; null for an HQL insert, which has none
     * @throws io.distributedid.IdConfigurationException if the row does not say its shard
     */
    long next(SharedSessionContractImplementor session, @Nullable Object owner);

    /**
     * As the source needs it.
     *
     * @throws io.distributedid.IdConfigurationException if the settings don't say the shard of an entity
     */
    static RowIds of(
            IdSource source,
            SessionFactoryImplementor factory,
            DistributedIdService service,
            String sequence,
            String entity) {
        Settings settings = service.settings().forSequence(sequence);
        Optional<ShardOrigin> origin = ShardOrigin.of(settings);
        if (source instanceof ConnectionIdSource database) {
            int batch = Math.toIntExact(settings.number(DistributedIdSettings.NEXT_ID_BATCH, 50, 1, 1000));
            return SessionIds.of(database, batch, BlockPolicy.of(settings).maxAge(), origin.map(from -> {
                IdShard field = service.ids().shard(sequence);
                return new SessionIds.Check(RowShard.of(factory, service, entity, settings, from, field), field);
            }));
        }
        if (source instanceof ShardedIdSource sharded) {
            RowShard row = RowShard.of(
                    factory,
                    service,
                    entity,
                    settings,
                    origin.orElseThrow(),
                    service.ids().shard(sequence));
            return (session, owner) -> sharded.next(row.of(session, owner));
        }
        return TenantIds.of((session, owner) -> source.next(), sequence, service);
    }
}
