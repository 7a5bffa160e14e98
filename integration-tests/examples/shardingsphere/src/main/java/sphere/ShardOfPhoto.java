package sphere;

import io.distributedid.spi.IdShard;
import io.distributedid.spi.ShardResolver;

/** Puts a row on the shard of the photo that it belongs to, which is in the photo's key. */
public final class ShardOfPhoto implements ShardResolver {

    /** In layout {@code sharded}: 11 bits, above 6 of worker and 5 of sequence. */
    private static final IdShard SHARD = new IdShard(11, 6 + 5);

    @Override
    public long shard(Object photo) {
        return SHARD.of((Long) photo);
    }
}
