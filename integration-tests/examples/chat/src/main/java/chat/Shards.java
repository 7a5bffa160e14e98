package chat;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.List;

/** The databases. All rows of a key are on one of them, which counts the key. */
final class Shards implements AutoCloseable {

    private final List<EntityManagerFactory> factories =
            List.of(Persistence.createEntityManagerFactory("shard0"), Persistence.createEntityManagerFactory("shard1"));

    /**
     * A key must never be counted on two shards. A real site looks its shard up, and moves its counter with its rows.
     */
    EntityManagerFactory of(Object key) {
        return factories.get(Math.floorMod(key.hashCode(), factories.size()));
    }

    @Override
    public void close() {
        factories.forEach(EntityManagerFactory::close);
    }
}
