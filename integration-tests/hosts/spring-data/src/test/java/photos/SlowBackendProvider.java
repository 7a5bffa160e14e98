package photos;

import io.distributedid.DecodedId;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** A store that answers when a test lets it, and notes the threads that wait for it. */
public final class SlowBackendProvider implements BackendProvider {

    static final Semaphore ANSWERS = new Semaphore(0);

    static final Set<Thread> WAITED = ConcurrentHashMap.newKeySet();

    /** For the library. */
    public SlowBackendProvider() {}

    @Override
    public String name() {
        return "slow";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return List.of();
    }

    @Override
    public Backend create(BackendContext context) {
        return new Backend() {
            @Override
            public IdSource open(Sequence sequence) {
                AtomicLong last = new AtomicLong();
                return () -> {
                    WAITED.add(Thread.currentThread());
                    ANSWERS.acquireUninterruptibly();
                    return last.incrementAndGet();
                };
            }

            @Override
            public DecodedId decode(Sequence sequence, long id) {
                return new DecodedId(id, null, Map.of());
            }

            @Override
            public void close() {}
        };
    }
}
