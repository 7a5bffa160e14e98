package benchmarks.snowflake;

import com.github.f4b6a3.tsid.Tsid;
import com.github.f4b6a3.tsid.TsidFactory;
import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/** How far the time in ids runs ahead of the clock while threads take ids as fast as they can. */
final class Ahead {

    /** Ids between two looks at the clock. */
    private static final int STRIDE = 256;

    private Ahead() {}

    /** The most milliseconds that an id of our generator was ahead of the clock. */
    static long ours(String layout, int threads, Duration time) throws ExecutionException, InterruptedException {
        try (DistributedIds ids = Generators.ours(layout)) {
            IdSource source = ids.sequence("ahead");
            IdTime at = ids.time("ahead");
            return most(source::next, id -> at.instant(id).toEpochMilli(), threads, time);
        }
    }

    /** The most milliseconds that an id of tsid-creator was ahead of the clock. */
    static long tsidCreator(int threads, Duration time) throws ExecutionException, InterruptedException {
        TsidFactory factory = Generators.tsidCreator();
        return most(
                () -> factory.create().toLong(),
                id -> Tsid.from(id).getInstant().toEpochMilli(),
                threads,
                time);
    }

    private static long most(LongSupplier source, LongUnaryOperator millis, int threads, Duration time)
            throws ExecutionException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Long>> runs = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                runs.add(pool.submit(() -> most(source, millis, time)));
            }
            long most = Long.MIN_VALUE;
            for (Future<Long> run : runs) {
                most = Math.max(most, run.get());
            }
            return most;
        } finally {
            pool.shutdownNow();
        }
    }

    private static long most(LongSupplier source, LongUnaryOperator millis, Duration time) {
        long most = Long.MIN_VALUE;
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            for (int i = 1; i < STRIDE; i++) {
                source.getAsLong();
            }
            long id = source.getAsLong();
            // After the id: what the clock gained meanwhile makes it look less far ahead, by microseconds.
            most = Math.max(most, millis.applyAsLong(id) - System.currentTimeMillis());
        }
        return most;
    }
}
