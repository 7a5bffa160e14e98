package sphere;

import io.distributedid.DistributedIds;
import io.distributedid.spi.IdShard;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.shardingsphere.sharding.api.sharding.standard.PreciseShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.RangeShardingValue;
import org.apache.shardingsphere.sharding.api.sharding.standard.StandardShardingAlgorithm;

/**
 * Tells ShardingSphere the database of a row by the shard in its key. Property {@code databases} says which one the
 * shards from a number on lie in, as in {@code 0=ds_0, 1000=ds_1}; to move shards, copy their rows and change it.
 * Beside it stands the layout, with the settings that the application has.
 */
public final class ShardInKey implements StandardShardingAlgorithm<Comparable<?>> {

    private final NavigableMap<Long, String> databases = new TreeMap<>();

    private IdShard shard;

    @Override
    public void init(Properties properties) {
        for (String part : properties.getProperty("databases").split(",")) {
            String[] range = part.strip().split("=");
            databases.put(Long.valueOf(range[0]), range[1]);
        }
        // Reads the layout, and makes no ids.
        try (DistributedIds ids = DistributedIds.create(IdSettings.of(properties))) {
            shard = ids.shard("photos");
        }
    }

    @Override
    public String doSharding(Collection<String> names, PreciseShardingValue<Comparable<?>> key) {
        long id = ((Number) key.getValue()).longValue();
        Map.Entry<Long, String> database = databases.floorEntry(shard.of(id));
        if (database == null || !names.contains(database.getValue())) {
            throw new IllegalStateException("There is no database for shard " + shard.of(id) + " of " + databases);
        }
        return database.getValue();
    }

    /** Ids lie in the order of time, and a span of time is on all shards. */
    @Override
    public Collection<String> doSharding(Collection<String> names, RangeShardingValue<Comparable<?>> keys) {
        return names;
    }
}
