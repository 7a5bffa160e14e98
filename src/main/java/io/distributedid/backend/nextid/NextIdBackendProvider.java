package io.distributedid.backend.nextid;

import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.Collection;
import java.util.List;

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
    public Collection<Setting<?>> settings() {
        return NextIdSettings.ALL;
    }

    @Override
    public List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        return NextIdSchema.of(settings, target);
    }

    @Override
    public Backend create(BackendContext context) {
        return new NextIdBackend(context);
    }
}
