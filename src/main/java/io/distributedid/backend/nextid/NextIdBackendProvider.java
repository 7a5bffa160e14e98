package io.distributedid.backend.nextid;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DatabaseProduct;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Settings;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** {@code distributedid.backend=next_id}: ids made by a function of each shard's own PostgreSQL database or schema. */
public final class NextIdBackendProvider implements BackendProvider {

    static final String NAME = "next_id";

    /** For {@link java.util.ServiceLoader}. */
    public NextIdBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<String> settings() {
        return NextIdSettings.NAMES;
    }

    @Override
    public List<String> ddl(Settings settings, String database) {
        if (DatabaseProduct.named(database) != DatabaseProduct.POSTGRESQL) {
            throw new IdConfigurationException("The database whose function makes ids must be PostgreSQL: database="
                    + database + ", allowed: postgresql");
        }
        NextIdSettings all = NextIdSettings.of(settings, InstantSource.system().instant());
        long shard = all.shard()
                .orElseGet(() -> settings.requiredNumber(
                        DistributedIdSettings.NEXT_ID_SHARD,
                        0,
                        all.place().count() - 1,
                        "Each shard has a function of its own; for many of them use NextIdSchema.ddl"));
        return List.of(
                all.function(all.name(), shard, NextIdSchema.named(settings)).ddl());
    }

    @Override
    public Backend create(BackendContext context) {
        return new NextIdBackend(context);
    }
}
