package io.distributedid.snowflake;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Backend;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Twitter's Snowflake: each sequence has a {@link SnowflakeGenerator} of its own with the worker number of this process. Ids are
 * unique within a sequence as long as no other process uses the same worker number at the same time, and no clock is set back by
 * more than {@link DistributedIdSettings#SNOWFLAKE_MAX_AHEAD} while the process is down.
 */
final class SnowflakeBackend implements Backend {

    private static final Instant DEFAULT_EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    private static final String WHY_WORKER =
            "It must differ between all processes and persistence units that run at the same"
                    + " time, so it is never guessed";

    private enum LayoutName {
        SNOWFLAKE
    }

    private record Worker(SnowflakeLayout layout, long number) {}

    private record Running(Worker worker, SnowflakeGenerator generator) {}

    private final InstantSource clock;

    private final WorkerNumbers numbers;

    /** The workers of this backend, and the tick above which their generators begin. */
    private final Map<Worker, Long> workers = new ConcurrentHashMap<>();

    private final Map<String, Running> running = new ConcurrentHashMap<>();

    SnowflakeBackend(InstantSource clock, WorkerNumbers numbers) {
        this.clock = clock;
        this.numbers = numbers;
    }

    @Override
    public IdSource open(Sequence sequence) {
        Settings settings = sequence.settings();
        if (sequence.maxValue() < Long.MAX_VALUE) {
            throw new IdConfigurationException("A Snowflake id takes 63 bits and does not fit: " + sequence
                    + " stores up to "
                    + sequence.maxValue() + ". Map the property to a 64-bit type, or set "
                    + DistributedIdSettings.SEQUENCE_PREFIX + sequence.name() + ".backend to ticket or sequence_table");
        }
        Worker worker = worker(settings);
        long notBefore = workers.computeIfAbsent(worker, w -> numbers.take(w.layout, w.number));
        SnowflakeGenerator generator = new SnowflakeGenerator(
                worker.layout,
                worker.number,
                clock,
                settings.duration(
                        DistributedIdSettings.SNOWFLAKE_MAX_AHEAD,
                        Duration.ofMillis(100),
                        Duration.ofMillis(1),
                        Duration.ofSeconds(10)),
                settings.duration(
                        DistributedIdSettings.SNOWFLAKE_CLOCK_TOLERANCE,
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        Duration.ofMinutes(1)),
                notBefore);
        running.put(sequence.name(), new Running(worker, generator));
        return generator;
    }

    private Worker worker(Settings settings) {
        settings.choice(DistributedIdSettings.SNOWFLAKE_LAYOUT, LayoutName.SNOWFLAKE);
        Instant epoch = settings.instant(DistributedIdSettings.SNOWFLAKE_EPOCH, DEFAULT_EPOCH);
        SnowflakeLayout layout = SnowflakeLayout.twitter(epoch);
        Instant now = clock.instant();
        if (epoch.isAfter(now) || layout.tick(now.toEpochMilli()) > layout.maxTick()) {
            throw settings.invalid(
                    DistributedIdSettings.SNOWFLAKE_EPOCH,
                    epoch,
                    "an instant in the past; with this one the layout lasts until " + layout.lastYear()
                            + ", the clock says " + now);
        }
        long number =
                settings.requiredNumber(DistributedIdSettings.SNOWFLAKE_WORKER, 0, layout.maxWorker(), WHY_WORKER);
        return new Worker(layout, number);
    }

    @Override
    public DecodedId decode(Sequence sequence, long id) {
        Running found = running.get(sequence.name());
        if (found == null) {
            throw new IllegalArgumentException("The sequence is not open: " + sequence);
        }
        return found.worker.layout.decode(id);
    }

    @Override
    public void close() {
        List<Running> generators = new ArrayList<>(running.values());
        workers.forEach((worker, notBefore) -> {
            long lastTick = generators.stream()
                    .filter(generator -> generator.worker.equals(worker))
                    .mapToLong(generator -> generator.generator.close())
                    .max()
                    .orElse(notBefore);
            numbers.giveBack(worker.layout, worker.number, lastTick);
        });
        workers.clear();
    }
}
