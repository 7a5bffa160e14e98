package io.distributedid.micrometer;

import io.distributedid.DistributedIds;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.SequenceListener;
import io.distributedid.SequenceStatistics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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
        meters.addAll(new HealthMeters(ids, registry, "distributedid.health", tags)
                .add(each -> Optional.of(each.health().status())));
    }

    @Override
    public void opened(String sequence) {
        Tags own = tags.and("seq", sequence);
        meters.addAll(new HealthMeters(ids, registry, "distributedid.sequence.health", own)
                .add(each -> each.health(sequence).map(SequenceHealth::status)));
        ids.statistics(sequence).ifPresent(statistics -> add(sequence, statistics, own));
    }

    private void add(String sequence, SequenceStatistics statistics, Tags own) {
        MeterBuilders builders = new MeterBuilders(sequence, ids, registry, own);
        builders.add(statistics);
        waits.put(sequence, builders.waits());
        if (statistics.blocks().isPresent()) {
            fetches.put(sequence, builders.fetches());
        }
        meters.addAll(builders.meters());
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
