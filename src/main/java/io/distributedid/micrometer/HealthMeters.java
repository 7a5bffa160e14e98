package io.distributedid.micrometer;

import io.distributedid.DistributedIds;
import io.distributedid.IdHealth.Status;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * A health as Prometheus knows states: a gauge for each status, of which one is 1 and the others are 0. Like
 * {@link MeterBuilders} they hold no strong reference to the sequences.
 */
final class HealthMeters {

    private final DistributedIds ids;

    private final MeterRegistry registry;

    private final String name;

    private final Tags tags;

    HealthMeters(DistributedIds ids, MeterRegistry registry, String name, Tags tags) {
        this.ids = ids;
        this.registry = registry;
        this.name = name;
        this.tags = tags;
    }

    /** @param health must capture neither the sequences nor this object */
    List<Meter> add(Function<DistributedIds, Optional<Status>> health) {
        List<Meter> meters = new ArrayList<>();
        for (Status status : Status.values()) {
            meters.add(Gauge.builder(
                            name,
                            ids,
                            each -> health.apply(each)
                                    .map(now -> now == status ? 1.0 : 0.0)
                                    .orElse(Double.NaN))
                    .description("1 if this is the status, otherwise 0")
                    .tags(tags.and("status", status.name().toLowerCase(Locale.ROOT)))
                    .register(registry));
        }
        return meters;
    }
}
