package io.distributedid.snowflake;

import io.distributedid.DistributedIdSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
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
        return Set.of(
                DistributedIdSettings.SNOWFLAKE_LAYOUT,
                DistributedIdSettings.SNOWFLAKE_EPOCH,
                DistributedIdSettings.SNOWFLAKE_WORKER,
                DistributedIdSettings.SNOWFLAKE_MAX_AHEAD,
                DistributedIdSettings.SNOWFLAKE_CLOCK_TOLERANCE);
    }

    @Override
    public Backend create(BackendContext context) {
        return new SnowflakeBackend(context.clock(), WorkerNumbers.ofProcess());
    }
}
