package io.distributedid.backend.memory;

import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Setting;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;

/** {@code distributedid.backend=memory}: for tests, which need no server and no worker number. */
public final class MemoryBackendProvider implements BackendProvider {

    static final String NAME = "memory";

    static final String FOR_TESTS = "Ids are counted in the memory of this JVM, which is for tests only: another"
            + " process gives the same ids. Outside tests, set distributedid.backend"
            + " to ticket, sequence_table, snowflake, next_id or remote";

    private static final Logger LOG = System.getLogger(MemoryBackendProvider.class.getName());

    /** For {@link java.util.ServiceLoader}. */
    public MemoryBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Collection<Setting<?>> settings() {
        return MemorySettings.ALL;
    }

    @Override
    public Backend create(BackendContext context) {
        LOG.log(Level.WARNING, FOR_TESTS + " (distributedid.backend=" + NAME + ")");
        return new MemoryBackend(context.applicationDatabase().isPresent());
    }
}
