package io.distributedid.micrometer;

import io.distributedid.DistributedIds;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import io.distributedid.SequenceListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds the meters of a sequence when it is opened, times waits and fetches, and removes the meters at the close. */
final class SequenceMeters implements SequenceListener {

    private final DistributedIds ids;

    private final MeterRegistry registry;

    private final Tags tags;

    private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();

    /** By the name of the sequence. */
    private final Map<String, Timer> waits = new ConcurrentHashMap<>();

    /** By the name of the sequence; only of those that reserve blocks. */
    private final Map<String, Timer> fetches = new ConcurrentHashMap<>();

    SequenceMeters(DistributedIds ids, MeterRegistry registry, Tags tags) {
        this.ids = ids;
        this.registry = registry;
        this.tags = tags;
    }

    /** Adds the health of all sequences, which has a meter even while none can be opened. */
    void addHealth() {
        addHealth("distributedid.health", tags, all -> Optional.of(all.health().status()));
    }

    /**
     * A health as Prometheus knows states: a gauge for each status, of which one is 1 and the others are 0.
     *
     * @param health must capture neither the sequences nor this object, as the functions of {@link Figure}
     */
    private void addHealth(String name, Tags own, Function<DistributedIds, Optional<Status>> health) {
        for (Status status : Status.values()) {
            meters.add(Gauge.builder(
                            name,
                            ids,
                            all -> health.apply(all)
                                    .map(now -> now == status ? 1.0 : 0.0)
                                    .orElse(Double.NaN))
                    .description("1 if this is the status, otherwise 0")
                    .tags(own.and("status", status.name().toLowerCase(Locale.ROOT)))
                    .register(registry));
        }
    }

    @Override
    public void opened(String sequence) {
        Tags own = tags.and("seq", sequence);
        addHealth(
                "distributedid.sequence.health",
                own,
                all -> all.health(sequence).map(SequenceHealth::status));
        ids.statistics(sequence).ifPresent(known -> {
            meters.addAll(Figure.register(sequence, known, ids, own, registry));
            waits.put(sequence, timer("wait", "Calls that had to wait for an id", own));
            if (known.blocks().isPresent()) {
                fetches.put(sequence, timer("fetch", "Fetches that succeeded", own));
            }
        });
    }

    private Timer timer(String name, String description, Tags own) {
        Timer timer = Timer.builder("distributedid." + name)
                .description(description)
                .tags(own)
                .register(registry);
        meters.add(timer);
        return timer;
    }

    @Override
    public void waited(String sequence, Duration time) {
        record(waits.get(sequence), time);
    }

    @Override
    public void fetched(String sequence, Duration time) {
        record(fetches.get(sequence), time);
    }

    /** The timer is null before the sequence is open and after the close. */
    private static void record(@Nullable Timer timer, Duration time) {
        if (timer != null) {
            timer.record(time);
        }
    }

    @Override
    public void closed() {
        meters.forEach(registry::remove);
        meters.clear();
        waits.clear();
        fetches.clear();
    }
}
