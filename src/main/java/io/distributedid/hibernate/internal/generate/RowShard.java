package io.distributedid.hibernate.internal.generate;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.ManagedMappingType;
import org.hibernate.metamodel.mapping.internal.ToOneAttributeMapping;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/** Finds the shard of a row: by the tenant of its session, or by a property of the entity. */
interface RowShard {

    /**
     * The number.
     *
     * @param owner null for an HQL insert
     * @throws IdConfigurationException if the row does not say it
     */
    long of(SharedSessionContractImplementor session, @Nullable Object owner);

    /**
     * As the settings say.
     *
     * @param entity its name
     * @throws IdConfigurationException if the entity has no such property, or there are no tenants
     */
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
                    steps(factory, entity, settings, from, property.path()),
                    ShardRule.of(settings, origin, field),
                    from);
        }
        if (origin instanceof ShardOrigin.Other other) {
            List<AttributeMapping> steps = steps(factory, entity, settings, from, other.path());
            IdShard others = fieldOf(steps.get(steps.size() - 1), unit, settings, from);
            return new OfProperty(steps, ShardRule.sameAs(settings, others, field), from);
        }
        if (origin instanceof ShardOrigin.Tenant) {
            requireTenants(factory, settings, from);
            return new OfTenant(ShardRule.of(settings, origin, field));
        }
        throw settings.invalid(
                CoreSettings.SHARD_FROM,
                from,
                "tenant, entity.<property> or same_as.<property> for the ids of entities, which nobody calls for");
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

    /** Where the shard stands in the keys of the entity that a property leads to. */
    private static IdShard fieldOf(AttributeMapping property, UnitIds unit, Settings settings, String from) {
        if (!(property instanceof ToOneAttributeMapping one)) {
            throw settings.invalid(
                    CoreSettings.SHARD_FROM, from, "a property that leads to another entity (@ManyToOne, @OneToOne)");
        }
        return unit.ids().shard(EntitySequence.of(one.getAssociatedEntityMappingType()));
    }

    private static List<AttributeMapping> steps(
            SessionFactoryImplementor factory, String entity, Settings settings, String from, List<String> path) {
        ManagedMappingType type = factory.getMappingMetamodel().getEntityDescriptor(entity);
        List<AttributeMapping> steps = new ArrayList<>();
        for (String name : path) {
            AttributeMapping step = type == null ? null : type.findAttributeMapping(name);
            if (step == null) {
                TreeSet<String> known = new TreeSet<>();
                if (type != null) {
                    type.forEachAttributeMapping(each -> known.add(each.getAttributeName()));
                }
                throw settings.invalid(
                        CoreSettings.SHARD_FROM,
                        from,
                        "a property of " + entity + ": '" + name + "' is none of " + known);
            }
            steps.add(step);
            type = step instanceof EmbeddableValuedModelPart embedded ? embedded.getEmbeddableTypeDescriptor() : null;
        }
        return steps;
    }

    /** By the tenant identifier of the session. */
    record OfTenant(ShardRule rule) implements RowShard {

        @Override
        public long of(SharedSessionContractImplementor session, @Nullable Object owner) {
            return rule.shard(session.getTenantIdentifier(), "the session's tenant identifier");
        }
    }

    /**
     * By a property.
     *
     * @param steps from the entity to the property
     * @param from as the user wrote it
     */
    record OfProperty(List<AttributeMapping> steps, ShardRule rule, String from) implements RowShard {

        @Override
        public long of(SharedSessionContractImplementor session, @Nullable Object owner) {
            if (owner == null) {
                throw new IdConfigurationException("A row must be an entity to say its shard: "
                        + DistributedIdSettings.SHARD_FROM + "=" + from
                        + " can't be read in an HQL insert. Use persist(), or name the id in the statement");
            }
            Object value = owner;
            for (AttributeMapping step : steps) {
                value = value == null ? null : step.getValue(value);
            }
            AttributeMapping last = steps.get(steps.size() - 1);
            return rule.shard(
                    value != null && last instanceof ToOneAttributeMapping one ? id(value, one, session) : value, from);
        }

        /** Of another entity, which need not be loaded. */
        private static @Nullable Object id(
                Object value, ToOneAttributeMapping association, SharedSessionContractImplementor session) {
            LazyInitializer proxy = HibernateProxy.extractLazyInitializer(value);
            return proxy == null
                    ? association
                            .getAssociatedEntityMappingType()
                            .getEntityPersister()
                            .getIdentifier(value, session)
                    : proxy.getIdentifier();
        }
    }
}
