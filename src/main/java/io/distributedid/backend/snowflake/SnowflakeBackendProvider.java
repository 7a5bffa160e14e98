package io.distributedid.backend.snowflake;

import io.distributedid.internal.process.Holdings;
import io.distributedid.internal.process.HostName;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.Collection;
import java.util.List;

/** {@code distributedid.backend=snowflake}: ids composed in this process. */
public final class SnowflakeBackendProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public SnowflakeBackendProvider() {}

    @Override
    public String name() {
        return "snowflake";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return SnowflakeSettings.ALL;
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
                        Holdings::ofJvm,
                        () -> HostName.find().orElse(""),
                        context.applicationDatabase()),
                context.isResumed(),
                context::waited);
    }
}
