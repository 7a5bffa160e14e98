package io.distributedid.micrometer;

import io.distributedid.DistributedIds;
import io.distributedid.SequenceListener;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Adds the meters of a sequence when it is opened, and removes them when all are closed. */
final class SequenceMeters implements SequenceListener {

    private final DistributedIds ids;

    private final MeterRegistry registry;

    private final Tags tags;

    private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();

    SequenceMeters(DistributedIds ids, MeterRegistry registry, Tags tags) {
        this.ids = ids;
        this.registry = registry;
        this.tags = tags;
    }

    @Override
    public void opened(String sequence) {
        ids.statistics(sequence).ifPresent(statistics -> {
            MeterBuilders builders = new MeterBuilders(sequence, ids, registry, tags.and("seq", sequence));
            meters.addAll(builders.all(statistics));
        });
    }

    @Override
    public void closed() {
        meters.forEach(registry::remove);
        meters.clear();
    }
}
