package benchmarks.blocks;

import java.util.function.LongUnaryOperator;
import me.ahoo.cosid.segment.IdSegmentDistributor;

/**
 * CosId's view of the same server.
 *
 * @param getName used for no other server
 * @param getStep ids in a segment
 * @param server reserves that many ids and returns the first
 */
record CosIdDistributor(String getName, long getStep, LongUnaryOperator server) implements IdSegmentDistributor {

    @Override
    public String getNamespace() {
        return "benchmarks";
    }

    @Override
    public long nextMaxId(long count) {
        return server.applyAsLong(count) + count - 1;
    }
}
