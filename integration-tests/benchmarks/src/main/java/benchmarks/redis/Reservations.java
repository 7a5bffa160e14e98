package benchmarks.redis;

import io.distributedid.backend.redis.RedisBackendProvider;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Our blocks as the buffer reserves them, without the buffer. */
final class Reservations implements BackendContext, AutoCloseable {

    private final Backend backend;

    private BlockSource source;

    Reservations(Map<String, Object> settings) {
        Settings all = Settings.of(settings);
        backend = new RedisBackendProvider().create(this);
        IdSource unused = backend.open(new Sequence("photos", Long.MAX_VALUE, "benchmark", all));
    }

    Block reserve(long count) throws SQLException, InterruptedException {
        return source.reserve(count);
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
        source = Objects.requireNonNull(reserving);
        return () -> {
            throw new UnsupportedOperationException();
        };
    }

    @Override
    public void close() {
        backend.close();
    }
}
