package photosite;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** The databases of the users: a persistence unit each, with the same entities and the same settings of ids. */
final class Shards implements AutoCloseable {

    static final int COUNT = 4;

    private final List<EntityManagerFactory> factories = new ArrayList<>();

    /** Opens each shard with settings that are added to those of persistence.xml. */
    Shards(IntFunction<Map<String, ?>> settings) {
        for (int shard = 0; shard < COUNT; shard++) {
            factories.add(Persistence.createEntityManagerFactory("shard" + shard, settings.apply(shard)));
        }
    }

    EntityManagerFactory get(int shard) {
        return factories.get(shard);
    }

    @Override
    public void close() {
        factories.forEach(EntityManagerFactory::close);
    }
}
