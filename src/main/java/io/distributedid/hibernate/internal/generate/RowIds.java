package io.distributedid.hibernate.internal.generate;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.internal.block.BlockPolicy;
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
public interface RowIds {

    /**
     * The id of a row.
     *
     * @param session that writes it
     * @param owner the entity; null for an HQL insert, which has none
     * @throws IdConfigurationException if the row does not say its shard
     */
    long next(SharedSessionContractImplementor session, @Nullable Object owner);

    /**
     * Opens the sequence of a property.
     *
     * @throws IdConfigurationException as opening does, or if the settings don't say the shard of an entity; it names entity and property
     */
    static RowIds open(AnnotatedProperty property, SessionFactoryImplementor factory) {
        UnitIds unit = UnitIds.of(factory);
        try {
            IdSource source = unit.ids()
                    .sequence(
                            property.sequence(),
                            property.conversion().maxValue(),
                            property.usedBy() + property.conversion().limit());
            return of(source, factory, unit, property.sequence(), property.entity());
        } catch (IdConfigurationException e) {
            throw new IdConfigurationException(property + ": " + e.getMessage(), e);
        }
    }

    private static RowIds of(
            IdSource source, SessionFactoryImplementor factory, UnitIds unit, String sequence, String entity) {
        Settings settings = unit.settings().forSequence(sequence);
        Optional<ShardOrigin> origin = ShardOrigin.of(settings);
        if (source instanceof ConnectionIdSource database) {
            int batch = Math.toIntExact(settings.number(DistributedIdSettings.NEXT_ID_BATCH, 50, 1, 1000));
            return SessionIds.of(database, batch, BlockPolicy.of(settings).maxAge(), origin.map(from -> {
                IdShard field = unit.ids().shard(sequence);
                return new SessionIds.Check(RowShard.of(factory, unit, entity, settings, from, field), field);
            }));
        }
        if (source instanceof ShardedIdSource sharded) {
            RowShard row = RowShard.of(
                    factory,
                    unit,
                    entity,
                    settings,
                    origin.orElseThrow(),
                    unit.ids().shard(sequence));
            return (session, owner) -> sharded.next(row.of(session, owner));
        }
        return TenantIds.of((session, owner) -> source.next(), sequence, unit);
    }
}
