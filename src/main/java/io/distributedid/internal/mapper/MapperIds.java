package io.distributedid.internal.mapper;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdProperty;
import io.distributedid.spi.IdSource;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes the ids of properties and columns. Their sequences are opened when they are first used, and kept. Thread-safe.
 */
public final class MapperIds {

    /**
     * What stores ids of a sequence.
     *
     * @param maxValue the largest id that it can store
     * @param name for messages
     */
    public record Place(String sequence, long maxValue, String name) {

        /** Always the same for a property. */
        public static Place of(IdProperty property) {
            return new Place(property.sequence(), property.maxValue(), property.toString());
        }
    }

    private final DistributedIds ids;

    private final Map<Place, IdSource> opened = new ConcurrentHashMap<>();

    /** So that a row costs one look-up. */
    private final Map<IdProperty, IdSource> ofProperties = new ConcurrentHashMap<>();

    public MapperIds(DistributedIds ids) {
        this.ids = ids;
    }

    /** Opens the sequences of all places, after it has prepared them together. */
    public void open(Collection<Place> places) {
        ids.admin().prepare(places.stream().map(Place::sequence).distinct().toList());
        places.forEach(this::open);
    }

    /** Not in one step: whoever opens a sequence waits for its server, and must keep no other place waiting. */
    private IdSource open(Place place) {
        IdSource known = opened.get(place);
        if (known != null) {
            return known;
        }
        try {
            IdSource source = ids.sequence(place.sequence(), place.maxValue(), place.name());
            opened.put(place, source);
            return source;
        } catch (IdConfigurationException e) {
            throw new IdConfigurationException(place.name() + ": " + e.getMessage(), e);
        }
    }

    private IdSource open(IdProperty property) {
        IdSource known = ofProperties.get(property);
        if (known == null) {
            known = open(Place.of(property));
            ofProperties.put(property, known);
        }
        return known;
    }

    public long next(IdProperty property) {
        return open(property).next();
    }

    public long next(Place place) {
        return open(place).next();
    }

    /** Takes as many ids at once. */
    public long[] next(IdProperty property, int count) {
        IdSource source = open(property);
        return count == 1 ? new long[] {source.next()} : ids.next(property.sequence(), count);
    }
}
