package benchmarks.blocks;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Block;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;

/**
 * The library's block buffer over a server in memory, reached as an application reaches it: through
 * {@link DistributedIds}. By default, all {@code block.} settings have their defaults.
 */
public final class MemoryBackendProvider implements BackendProvider {

    private static final Map<String, LongUnaryOperator> SERVERS = new ConcurrentHashMap<>();

    /** For the library, which finds it by its class name. */
    public MemoryBackendProvider() {}

    /**
     * Ids that come in blocks from a server.
     *
     * @param sequence a name used for no other server
     * @param server reserves that many ids and returns the first
     * @return to be closed
     */
    static DistributedIds over(String sequence, LongUnaryOperator server) {
        return over(sequence, server, Map.of());
    }

    /**
     * As above.
     *
     * @param settings of the buffer
     */
    public static DistributedIds over(String sequence, LongUnaryOperator server, Map<String, Object> settings) {
        SERVERS.put(sequence, server);
        Map<String, Object> all = new HashMap<>(settings);
        all.put("distributedid.backend", MemoryBackendProvider.class.getName());
        return DistributedIds.create(all);
    }

    @Override
    public String name() {
        return "memory";
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
                LongUnaryOperator server = SERVERS.get(sequence.name());
                return context.buffer(sequence, wanted -> new Block(server.applyAsLong(wanted), 1, wanted));
            }

            @Override
            public DecodedId decode(Sequence sequence, long id) {
                throw new UnsupportedOperationException("The ids of the benchmark say nothing");
            }

            @Override
            public void close() {}
        };
    }
}
