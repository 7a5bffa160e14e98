package io.distributedid.backend.nextid;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Creates the function {@code next_id()} and its sequence in the PostgreSQL schemas of shards, two or thousands.
 *
 * <pre>{@code
 * for (int shard = 0; shard < 2000; shard++) {
 *     NextIdSchema.create(connection, settings, "shard_" + shard, shard);
 * }
 * }</pre>
 *
 * <p>Existing functions stay, so a second call changes nothing. These would give ids twice, and are refused:
 *
 * <ul>
 *   <li>to replace a function that makes ids of another shard, layout or form;
 *   <li>a second function for a shard in one database, in any schema;
 *   <li>a function of the same name with another layout or epoch.
 * </ul>
 *
 * <p>If settings name functions for single sequences, a shard's schema may have one function of each name. Thread-safe.
 * Many processes may create functions at the same time, each transaction in {@code READ COMMITTED}.
 */
public final class NextIdSchema {

    private NextIdSchema() {}

    /**
     * The statements for one shard, one for each function that the settings name.
     *
     * @param settings as for {@link io.distributedid.DistributedIds#create}; {@code distributedid.next_id.shard} is
     *     ignored
     * @param schema an existing schema, as in SQL without quotes
     * @param shard the shard's number, from 0 to the largest that the layout holds
     * @return the statements, to be executed on PostgreSQL in this order
     * @throws IdConfigurationException if a setting or an argument is not allowed
     */
    public static List<String> ddl(Map<String, ?> settings, String schema, long shard) {
        Map<String, Object> own = new LinkedHashMap<>(settings);
        own.keySet().removeIf(name -> name.endsWith("next_id.shard"));
        Settings known = Settings.of(own);
        List<String> statements = new ArrayList<>();
        if (ours(known).findAny().isEmpty()) {
            throw known.invalid(
                    CoreSettings.BACKEND,
                    known.find(CoreSettings.BACKEND).orElse(""),
                    NextIdBackendProvider.NAME + ", for all sequences or for one");
        }
        ours(known).forEach(each -> {
            NextIdSettings all = NextIdSettings.of(each, InstantSource.system().instant());
            if (all.name().hasSchema()) {
                throw each.invalid(
                        NextIdSettings.FUNCTION,
                        all.name(),
                        "a name without schema, since each shard has a function in its own schema");
            }
            statements.add(all.function(all.name().inSchema(checked(schema)), shard, named(known))
                    .ddl());
        });
        return statements.stream().distinct().toList();
    }

    /** The general settings and those of single sequences, where they name this backend. */
    private static Stream<Settings> ours(Settings settings) {
        return settings.views()
                .filter(each -> each.find(CoreSettings.BACKEND)
                        .filter(NextIdBackendProvider.NAME::equals)
                        .isPresent());
    }

    /** All functions that the settings name. They may make ids of one shard, for different sequences. */
    static Set<FunctionName> named(Settings settings) {
        return ours(settings).map(FunctionName::of).collect(Collectors.toSet());
    }

    private static String checked(String schema) {
        if (!Setting.isPlainName(schema) || schema.indexOf('.') >= 0) {
            throw new IdConfigurationException(
                    "A shard's schema must have a name of letters, digits and '_': schema=" + schema);
        }
        return schema;
    }

    /**
     * The function of one shard. Empty for the application's own database if its shard is not set, or if it has
     * tenants: each may be another shard.
     */
    static List<SchemaObject> of(Settings settings, SchemaTarget target) {
        boolean isPostgreSql = target.product() == DatabaseProduct.POSTGRESQL;
        if (target.isApplications() && (!isPostgreSql || target.isTenants())) {
            return List.of();
        }
        if (!isPostgreSql) {
            throw new IdConfigurationException("The database whose function makes ids must be PostgreSQL: database="
                    + target.product().name().toLowerCase(Locale.ROOT) + ", allowed: postgresql");
        }
        NextIdSettings all = NextIdSettings.of(settings, InstantSource.system().instant());
        if (target.isApplications() && all.shard().isEmpty()) {
            return List.of();
        }
        long shard = all.shard()
                .orElseGet(() -> settings.require(
                        NextIdSettings.SHARD.within(0L, all.place().count() - 1),
                        "Each shard has a function of its own; for many shards use NextIdSchema.ddl"));
        FunctionName name = target.defaultSchema()
                .map(NextIdSchema::checked)
                .map(all.name()::inSchema)
                .orElse(all.name());
        String sql = all.function(name, shard, named(settings.general())).ddl();
        return List.of(new SchemaObject.SqlObject(name.toString(), sql));
    }

    /**
     * Creates function and sequence of one shard unless they exist. For thousands of shards, use a transaction for each
     * shard, since a transaction in PostgreSQL locks every object that it has created.
     *
     * @param connection to the shard's database, of a user who may create both; the caller commits unless the
     *     connection is in autocommit mode
     * @param settings as for {@link #ddl}
     * @param schema an existing schema, as in SQL without quotes
     * @param shard the shard's number, from 0 to the largest that the layout holds
     * @throws SQLException if the database failed
     * @throws IdConfigurationException if a setting or an argument is not allowed, the schema's function makes other
     *     ids, or another function of the database makes the same ids
     */
    public static void create(Connection connection, Map<String, ?> settings, String schema, long shard)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String ddl : ddl(settings, schema, shard)) {
                statement.execute(ddl);
            }
        } catch (SQLException e) {
            if (NextIdFunction.OTHER_FUNCTION.equals(e.getSQLState())) {
                throw new IdConfigurationException(String.valueOf(e.getMessage()), e);
            }
            throw e;
        }
    }
}
