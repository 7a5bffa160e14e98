package io.distributedid.backend.snowflake;

import io.distributedid.DistributedIdSettings;
import io.distributedid.backend.snowflake.lease.LeaseRegistry;
import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.internal.process.HostName;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@code distributedid.backend=snowflake}: ids composed in this process. */
public final class SnowflakeBackendProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public SnowflakeBackendProvider() {}

    @Override
    public String name() {
        return "snowflake";
    }

    @Override
    public Set<String> settings() {
        Set<String> names = new HashSet<>(LeaseSettings.NAMES);
        names.addAll(Set.of(
                DistributedIdSettings.SNOWFLAKE_LAYOUT,
                DistributedIdSettings.SNOWFLAKE_EPOCH,
                DistributedIdSettings.SNOWFLAKE_WORKER,
                DistributedIdSettings.SNOWFLAKE_DATA_CENTRE,
                DistributedIdSettings.SNOWFLAKE_BUSINESS,
                DistributedIdSettings.SNOWFLAKE_SHARD,
                DistributedIdSettings.SNOWFLAKE_COUNTER,
                DistributedIdSettings.SNOWFLAKE_STATE_FILE,
                DistributedIdSettings.SNOWFLAKE_MAX_AHEAD,
                DistributedIdSettings.SNOWFLAKE_CLOCK_TOLERANCE));
        return names;
    }

    @Override
    public List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        return LeaseSettings.schema(settings, target);
    }

    @Override
    public boolean hasToken(Settings settings) {
        return LeaseSettings.isLeased(settings);
    }

    @Override
    public Backend create(BackendContext context) {
        return new SnowflakeBackend(
                context.clock(),
                new WorkerRegistry(
                        context.clock(),
                        NumbersInUse.ofJvm(),
                        () -> HostName.find().orElse(""),
                        new LeaseRegistry(context.clock(), context.applicationDatabase())),
                context.isResumed());
    }
}
