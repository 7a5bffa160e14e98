package io.distributedid.backend.nextid;

import io.distributedid.DistributedIdSettings;
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
 * Creates the function {@code next_id()} and its sequence in the PostgreSQL schemas of shards, be they two or
 * thousands.
 *
 * <pre>{@code
 * for (int shard = 0; shard < 2000; shard++) {
 *     NextIdSchema.create(connection, settings, "shard_" + shard, shard);
 * }
 * }</pre>
 *
 * <p>What is there stays as it is: calling it again changes nothing. Refused, since ids would come twice: to replace a
 * function that makes ids of another shard, layout or form; a second function for a shard in one database, wherever it
 * lies; and a function of the same name with another layout or epoch. Settings that name functions for single sequences
 * may have one of each name in a shard's schema. Many processes may create functions at once; each transaction in
 * {@code READ COMMITTED}.
 */
public final class NextIdSchema {

    private NextIdSchema() {}

    /**
     * The statements for one shard: one for each function that the settings name.
     *
     * @param settings as for {@link io.distributedid.DistributedIds#create};
     *     {@link DistributedIdSettings#NEXT_ID_SHARD} is not looked at
     * @param schema as in SQL without quotes; must exist
     * @param shard its number
     * @return to be executed in order, on PostgreSQL
     * @throws IdConfigurationException if a setting or an argument is not allowed
     */
    public static List<String> ddl(Map<String, ?> settings, String schema, long shard) {
        Map<String, Object> own = new LinkedHashMap<>(settings);
        own.keySet()
                .removeIf(name -> name.endsWith(
                        DistributedIdSettings.NEXT_ID_SHARD.substring(DistributedIdSettings.PREFIX.length())));
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
                        "a name without schema, since each shard has a function in its own");
            }
            statements.add(all.function(all.name().inSchema(checked(schema)), shard, named(known))
                    .ddl());
        });
        return statements.stream().distinct().toList();
    }

    /** Those of all sequences and of single ones, as far as this backend makes their ids. */
    private static Stream<Settings> ours(Settings settings) {
        return settings.views()
                .filter(each -> each.find(CoreSettings.BACKEND)
                        .filter(NextIdBackendProvider.NAME::equals)
                        .isPresent());
    }

    /** All functions of the settings, which may make ids of one shard for different sequences. */
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
     * The function of one shard. In the application's own database: none unless its shard is set; none if every
     * connection belongs to a tenant, each of which may be another shard.
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
                        "Each shard has a function of its own; for many of them use NextIdSchema.ddl"));
        FunctionName name = target.defaultSchema()
                .map(NextIdSchema::checked)
                .map(all.name()::inSchema)
                .orElse(all.name());
        String sql = all.function(name, shard, named(settings.general())).ddl();
        return List.of(new SchemaObject.SqlObject(name.toString(), sql));
    }

    /**
     * Creates function and sequence of one shard unless they are there. For thousands of shards each in a transaction
     * of its own, since PostgreSQL keeps locks for all that one has created.
     *
     * @param connection to the shard's database, by a user who may create both; committed by the caller unless it is in
     *     autocommit mode
     * @param settings as for {@link #ddl}
     * @param schema as in SQL without quotes; must exist
     * @param shard its number
     * @throws SQLException if the database failed
     * @throws IdConfigurationException if a setting or an argument is not allowed, the schema has such a function that
     *     makes other ids, or the database has another function that makes the same
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
