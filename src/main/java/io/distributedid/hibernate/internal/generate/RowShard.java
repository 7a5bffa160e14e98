package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.Settings;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.internal.ToOneAttributeMapping;
import org.jspecify.annotations.Nullable;

/** Finds the shard of a row: by the tenant of its session, or by a property of the entity. */
final class RowShard {

    /** A property, or the association to another entity; both perhaps in embedded objects. */
    static final Pattern PATH =
            Pattern.compile("(entity|same_as)((?:\\.\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)+)");

    /** Leads from the entity to the property; null if the tenant has the shard. */
    private final @Nullable PropertyPath path;

    private final ShardRule rule;

    /** For messages. */
    private final String from;

    private RowShard(@Nullable PropertyPath path, ShardRule rule, String from) {
        this.path = path;
        this.rule = rule;
        this.from = from;
    }

    /** Fails if the setting is wrong, the entity lacks the property, or there are no tenants. */
    static RowShard of(
            SessionFactoryImplementor factory, UnitIds unit, String entity, Settings settings, IdShard field) {
        String from = settings.find(CoreSettings.SHARD_FROM).orElse("");
        Matcher named = PATH.matcher(from);
        if (named.matches()) {
            PropertyPath path =
                    path(factory, entity, settings, from, named.group(2).substring(1));
            ShardRule rule = named.group(1).equals("entity")
                    ? ShardRule.of(settings, false, field)
                    : ShardRule.sameAs(settings, fieldOf(path.last(), unit, settings, from), field);
            return new RowShard(path, rule, from);
        }
        if (from.equals("tenant")) {
            requireTenants(factory, settings, from);
            return new RowShard(null, ShardRule.of(settings, true, field), "the session's tenant identifier");
        }
        throw settings.invalid(
                CoreSettings.SHARD_FROM,
                from,
                from.equals("caller")
                        ? "tenant, entity.<property> or same_as.<property> for entities; caller is for"
                                + " DistributedIds.nextOnShard"
                        : CoreSettings.SHARD_FROM.allowed());
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

    /** Fails if the shard is missing or unknown. {@code owner} is null for an HQL insert. */
    long of(SharedSessionContractImplementor session, @Nullable Object owner) {
        if (path == null) {
            return rule.shard(session.getTenantIdentifier(), from);
        }
        if (owner == null) {
            throw new IdConfigurationException("The shard of a row must be read from an entity: "
                    + "distributedid.shard.from=" + from
                    + " can't be read in an HQL insert. Use persist(), or name the id in the statement");
        }
        return rule.shard(path.value(owner, session), from);
    }
}
