package benchmarks.snowflake;

import com.github.f4b6a3.tsid.TsidFactory;
import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import io.hypersistence.tsid.TSID;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Taking the next id as fast as threads can, from one generator that they share. Twitter's layout ends at 4,096 ids a
 * millisecond; the wide one has 18 bits of sequence and shows what a generator itself can do. The TSID libraries have
 * 12 bits, and borrow from the future without bound.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Generators {

    static final String WIDE = "time(ms):41, worker:4, sequence:18";

    /** Ours, reached as an application reaches it. */
    static DistributedIds ours(String layout) {
        return DistributedIds.create(Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.layout",
                layout,
                "distributedid.snowflake.worker",
                7));
    }

    static TsidFactory tsidCreator() {
        return TsidFactory.newInstance1024(7);
    }

    /** Ours in Twitter's layout. */
    @State(Scope.Benchmark)
    public static class CapState {
        private final DistributedIds ids = ours("snowflake");
        private final IdSource source = ids.sequence("cap");

        /** Gives the worker number back. */
        @TearDown
        public void close() {
            ids.close();
        }
    }

    /** Ours in the wide layout. */
    @State(Scope.Benchmark)
    public static class WideState {
        private final DistributedIds ids = ours(WIDE);
        private final IdSource source = ids.sequence("wide");

        /** Gives the worker number back. */
        @TearDown
        public void close() {
            ids.close();
        }
    }

    /** The others with their defaults, except that the node is not drawn by lot. */
    @State(Scope.Benchmark)
    public static class TsidState {
        private final TsidFactory creator = tsidCreator();
        private final TSID.Factory hypersistence = TSID.Factory.newInstance1024(7);
    }

    /** CosId's, of Twitter's layout. */
    @State(Scope.Benchmark)
    public static class CosIdState {
        private final MillisecondSnowflakeId source = new MillisecondSnowflakeId(7);
    }

    @Benchmark
    public long cap(CapState state) {
        return state.source.next();
    }

    @Benchmark
    public long wide(WideState state) {
        return state.source.next();
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
    public long cosId(CosIdState state) {
        return state.source.generate();
    }
}
