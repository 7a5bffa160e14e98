package io.distributedid.internal.mapper;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.Collection;

/** Takes the ids of properties and columns. Their sequences are opened when they are first used. Thread-safe. */
public record MapperIds(DistributedIds ids) {

    /**
     * What stores ids of a sequence.
     *
     * @param maxValue the largest id that it can store
     * @param name for messages
     */
    public record Place(String sequence, long maxValue, String name) {}

    /** Opens the sequences of all places, after it has prepared them together. */
    public void open(Collection<Place> places) {
        ids.prepare(places.stream().map(Place::sequence).distinct().toList());
        places.forEach(this::open);
    }

    private void open(Place place) {
        try {
            ids.sequence(place.sequence(), place.maxValue(), place.name());
        } catch (IdConfigurationException e) {
            throw new IdConfigurationException(place.name() + ": " + e.getMessage(), e);
        }
    }

    public long next(Place place) {
        return next(place, 1)[0];
    }

    /** Takes as many ids at once. */
    public long[] next(Place place, int count) {
        open(place);
        return ids.next(place.sequence(), count);
    }
}
