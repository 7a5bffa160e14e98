package benchmarks.blocks;

import com.github.f4b6a3.tsid.TsidFactory;
import com.github.f4b6a3.uuid.UuidCreator;
import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import io.hypersistence.tsid.TSID;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.SegmentChainId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Threads take ids from one shared source as fast as they can; a server in memory answers at once. No application needs
 * this rate: it shows the cost without a network. CosId's step is the size that our blocks grow to.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HandOut {

    private static final long STEP = 100_000;

    /** Ours. */
    @State(Scope.Benchmark)
    public static class BlockState {
        private final AtomicLong server = new AtomicLong(1);
        private final DistributedIds ids = MemoryBackendProvider.over("fast", server::getAndAdd);
        private final IdSource source = ids.sequence("fast");

        /** Stops its threads. */
        @TearDown
        public void close() {
            ids.close();
        }
    }

    /** The least that a shared counter can cost. */
    @State(Scope.Benchmark)
    public static class AtomicState {
        private final AtomicLong counter = new AtomicLong();
    }

    /** CosId's recommended generator, which prefetches. */
    @State(Scope.Benchmark)
    public static class CosIdChainState {
        private final AtomicLong server = new AtomicLong(1);
        private final SegmentChainId source =
                new SegmentChainId(new CosIdDistributor("chain", STEP, server::getAndAdd));
    }

    /** CosId's simple generator, whose callers fetch. */
    @State(Scope.Benchmark)
    public static class CosIdSegmentState {
        private final AtomicLong server = new AtomicLong(1);
        private final DefaultSegmentId source =
                new DefaultSegmentId(new CosIdDistributor("segment", STEP, server::getAndAdd));
    }

    /** Both TSID libraries with their defaults, except that the node is not drawn by lot. */
    @State(Scope.Benchmark)
    public static class TsidState {
        private final TsidFactory creator = TsidFactory.newInstance1024(7);
        private final TSID.Factory hypersistence = TSID.Factory.newInstance1024(7);
    }

    @Benchmark
    public long block(BlockState state) {
        return state.source.next();
    }

    @Benchmark
    public long atomic(AtomicState state) {
        return state.counter.incrementAndGet();
    }

    @Benchmark
    public long cosIdChain(CosIdChainState state) {
        return state.source.generate();
    }

    @Benchmark
    public long cosIdSegment(CosIdSegmentState state) {
        return state.source.generate();
    }

    @Benchmark
    public long tsidCreator(TsidState state) {
        return state.creator.create().toLong();
    }

    @Benchmark
    public long hypersistenceTsid(TsidState state) {
        return state.hypersistence.generate().toLong();
    }

    @Benchmark
    public UUID uuidV7() {
        return UuidCreator.getTimeOrderedEpoch();
    }

    @Benchmark
    public UUID uuidV4() {
        return UUID.randomUUID();
    }
}
