package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.Settings;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.internal.ToOneAttributeMapping;
import org.jspecify.annotations.Nullable;

/** Finds the shard of a row: by the tenant of its session, or by a property of the entity. */
interface RowShard {

    /** Fails if the shard is missing or unknown. {@code owner} is null for an HQL insert. */
    long of(SharedSessionContractImplementor session, @Nullable Object owner);

    /** Fails if the entity lacks the property of the settings, or there are no tenants. */
    static RowShard of(
            SessionFactoryImplementor factory,
            UnitIds unit,
            String entity,
            Settings settings,
            ShardOrigin origin,
            IdShard field) {
        String from = settings.find(CoreSettings.SHARD_FROM).orElse("");
        if (origin instanceof ShardOrigin.Property property) {
            return new OfProperty(
                    path(factory, entity, settings, from, property.path()),
                    ShardRule.of(settings, origin, field),
                    from);
        }
        if (origin instanceof ShardOrigin.Other other) {
            PropertyPath path = path(factory, entity, settings, from, other.path());
            IdShard others = fieldOf(path.last(), unit, settings, from);
            return new OfProperty(path, ShardRule.sameAs(settings, others, field), from);
        }
        if (origin instanceof ShardOrigin.Tenant) {
            requireTenants(factory, settings, from);
            return new OfTenant(ShardRule.of(settings, origin, field));
        }
        throw settings.invalid(
                CoreSettings.SHARD_FROM,
                from,
                "tenant, entity.<property> or same_as.<property> for entities; caller is for"
                        + " DistributedIds.nextOnShard");
    }

    private static void requireTenants(SessionFactoryImplementor factory, Settings settings, String from) {
        boolean byRows = factory.getDefinedFilterNames().contains("_tenantId");
        if (!byRows && !factory.getSessionFactoryOptions().isMultiTenancyEnabled()) {
            throw settings.invalid(
                    CoreSettings.SHARD_FROM,
                    from,
                    "only with Hibernate's multi-tenancy (hibernate.multi_tenant_connection_provider or @TenantId)");
        }
    }

    /** The place of the shard in the ids of the entity that a property refers to. */
    private static IdShard fieldOf(AttributeMapping property, UnitIds unit, Settings settings, String from) {
        if (!(property instanceof ToOneAttributeMapping one)) {
            throw settings.invalid(
                    CoreSettings.SHARD_FROM, from, "a property that leads to another entity (@ManyToOne, @OneToOne)");
        }
        return unit.ids().shard(EntitySequence.of(one.getAssociatedEntityMappingType()));
    }

    private static PropertyPath path(
            SessionFactoryImplementor factory, String entity, Settings settings, String from, String path) {
        return PropertyPath.of(
                factory,
                entity,
                path,
                (name, known) -> settings.invalid(
                        CoreSettings.SHARD_FROM,
                        from,
                        "a property of " + entity + ": '" + name + "' is none of " + known));
    }

    record OfTenant(ShardRule rule) implements RowShard {

        @Override
        public long of(SharedSessionContractImplementor session, @Nullable Object owner) {
            return rule.shard(session.getTenantIdentifier(), "the session's tenant identifier");
        }
    }

    /** {@code path} leads from the entity to the property; {@code from} is the setting. */
    record OfProperty(PropertyPath path, ShardRule rule, String from) implements RowShard {

        @Override
        public long of(SharedSessionContractImplementor session, @Nullable Object owner) {
            if (owner == null) {
                throw new IdConfigurationException("The shard of a row must be read from an entity: "
                        + "distributedid.shard.from=" + from
                        + " can't be read in an HQL insert. Use persist(), or name the id in the statement");
            }
            return rule.shard(path.value(owner, session), from);
        }
    }
}
