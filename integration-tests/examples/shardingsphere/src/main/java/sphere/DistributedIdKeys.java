package sphere;

import io.distributedid.DistributedIdSettings;
import io.distributedid.DistributedIds;
import java.util.Collection;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.apache.shardingsphere.infra.algorithm.core.context.AlgorithmSQLContext;
import org.apache.shardingsphere.infra.algorithm.keygen.core.KeyGenerateAlgorithm;

/**
 * Keys for rows that are inserted by SQL without one. The sequence is that of the table. Such a row belongs to nobody,
 * so its shard is any: one for each statement, so that its rows are stored by one database.
 *
 * <p>ShardingSphere has no way to close it: a leased worker number is free when its window is over.
 */
public final class DistributedIdKeys implements KeyGenerateAlgorithm {

    private DistributedIds ids;

    private long shards;

    @Override
    public void init(Properties properties) {
        shards =
                Long.parseLong(properties.get(DistributedIdSettings.SHARD_COUNT).toString());
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
