package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.Setting;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** The sequences that the server gives ids of, by name. */
final class ServedSequences {

    private final Map<String, ServedSequence> byName = new LinkedHashMap<>();

    private final DistributedIds ids;

    private final AtomicInteger waiting;

    private final Openings openings;

    /** @param waiting counts the requests that wait */
    ServedSequences(DistributedIds ids, Set<String> names, Workers workers, AtomicInteger waiting, int mostWaiting) {
        this.ids = ids;
        this.waiting = waiting;
        int mostWorkers = Workers.each(ServedSequence.WORKERS, names.size());
        names.forEach(
                name -> byName.put(name, new ServedSequence(name, ids, workers, mostWorkers, waiting, mostWaiting)));
        openings = new Openings(byName.values());
    }

    Collection<ServedSequence> all() {
        return byName.values();
    }

    /** The requests that wait for ids. */
    AtomicInteger waiting() {
        return waiting;
    }

    /** The names of those that a caller may use. */
    Set<String> names(Caller caller) {
        return byName.keySet().stream().filter(caller::mayUse).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** @throws Problem if the sequence is not served, or the caller may not use it */
    ServedSequence named(String name, Caller caller) {
        caller.requireSequence(name);
        ServedSequence found = byName.get(name);
        if (found == null) {
            throw unknown(name, names(caller), ServerSettings.SEQUENCES, "ids");
        }
        return found;
    }

    /**
     * @param names that the caller may use
     * @param what the server gives of them
     */
    static Problem unknown(String name, Set<String> names, Setting<String> setting, String what) {
        Optional<String> nearest = SettingNames.near(name, names);
        return new Problem(
                ProblemType.UNKNOWN_SEQUENCE,
                "There is no such sequence: seq=" + Problem.quoted(name) + ". "
                        + nearest.map(near -> "Is it " + near + "?")
                                .orElse("The server gives " + what + " of those in " + setting),
                nearest.map(near -> Map.of("nearest", near)).orElse(Map.of()));
    }

    /**
     * Opens all sequences, see {@link Openings#open}.
     *
     * @throws io.distributedid.IdConfigurationException if a sequence is configured wrongly
     */
    void open() {
        ids.admin().prepare(byName.keySet());
        openings.open();
        ids.admin().prefetch(byName.keySet());
    }

    Openings openings() {
        return openings;
    }
}
