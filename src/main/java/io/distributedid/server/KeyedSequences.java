package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdHealth;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sequences of which the server gives numbers per key, by name. Immutable. */
final class KeyedSequences {

    private final Map<String, ServedKeys> byName = new LinkedHashMap<>();

    private final Openings openings;

    /** @param waiting counts the requests that wait */
    KeyedSequences(
            DistributedIds ids,
            Set<String> names,
            Failures failures,
            Workers workers,
            AtomicInteger waiting,
            int mostWaiting) {
        int mostWorkers = Workers.each(ServedKeys.WORKERS, names.size());
        names.forEach(name ->
                byName.put(name, new ServedKeys(name, ids, failures, workers, mostWorkers, waiting, mostWaiting)));
        openings = new Openings(byName.values());
    }

    Collection<ServedKeys> all() {
        return byName.values();
    }

    Openings openings() {
        return openings;
    }

    /** Counts the numbers of each. */
    void bindTo(MeterRegistry registry) {
        all().forEach(each -> FunctionCounter.builder("distributedid.server.numbers", each, ServedKeys::issued)
                .description("Numbers per key that were given")
                .tag("sequence", each.name())
                .register(registry));
    }

    /** Those that a caller may use. */
    Collection<ServedKeys> of(Caller caller) {
        return byName.values().stream()
                .filter(each -> caller.mayUse(each.name()))
                .toList();
    }

    /** The worst health of some of them, and of ids. */
    static IdHealth.Status worst(IdHealth.Status ofIds, Collection<ServedKeys> keyed) {
        return Stream.concat(Stream.of(ofIds), keyed.stream().map(ServedKeys::status))
                .max(Comparator.naturalOrder())
                .orElse(ofIds);
    }

    /** @throws Problem if the sequence is not served, or the caller may not use it */
    ServedKeys named(String name, Caller caller) {
        caller.requireSequence(name);
        ServedKeys found = byName.get(name);
        if (found == null) {
            Set<String> names =
                    of(caller).stream().map(ServedKeys::name).collect(Collectors.toCollection(LinkedHashSet::new));
            throw ServedSequences.unknown(name, names, ServerSettings.KEYED, "numbers per key");
        }
        return found;
    }
}
