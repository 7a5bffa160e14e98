package sphere;

import io.distributedid.DistributedIds;
import java.util.Collection;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;

/**
 * Generates keys for rows that SQL inserts without a key, from the sequence with the table's name. Nothing is known of
 * such a row, so each statement takes a random shard: all its rows go to one database.
 *
 * <p>ShardingSphere never closes this object. A leased worker number is free again when its window ends.
 */
public final class DistributedIdKeys implements KeyGenerateAlgorithm {

    private DistributedIds ids;

    private long shards;

    @Override
    public void init(Properties properties) {
        shards = Long.parseLong(properties.get("distributedid.shard.count").toString());
        ids = DistributedIds.create(IdSettings.of(properties));
    }

    @Override
    public Collection<Long> generateKeys(AlgorithmSQLContext statement, int count) {
        long shard = ThreadLocalRandom.current().nextLong(shards);
        return Stream.generate(() -> ids.nextOnShard(statement.getTableName(), shard))
                .limit(count)
                .toList();
    }

    @Override
    public String getType() {
        return "DISTRIBUTEDID";
    }
}
