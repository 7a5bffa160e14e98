package benchmarks.redis;

import io.distributedid.backend.redis.RedisBackendProvider;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Our blocks as the buffer reserves them, without the buffer. */
final class Reservations implements BackendContext, AutoCloseable {

    private final Settings settings;

    private final Backend backend;

    private final Map<String, BlockSource> sources = new HashMap<>();

    Reservations(Map<String, Object> settings) {
        this.settings = Settings.of(settings);
        backend = new RedisBackendProvider().create(this);
    }

    BlockSource source(String sequence) {
        if (!sources.containsKey(sequence)) {
            IdSource unused = backend.open(new Sequence(sequence, Long.MAX_VALUE, "benchmark", settings));
        }
        return Objects.requireNonNull(sources.get(sequence));
    }

    @Override
    public InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    public Optional<ConnectionAccess> applicationDatabase() {
        return Optional.empty();
    }

    /** Nothing is taken from it. */
    @Override
    public IdSource buffer(Sequence sequence, BlockSource reserving) {
        sources.put(sequence.name(), reserving);
        return () -> {
            throw new UnsupportedOperationException();
        };
    }

    @Override
    public void close() {
        backend.close();
    }
}
