package quickstart;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** The databases, and which of them a user lives on. */
final class Shards implements AutoCloseable {

    private static final int COUNT = 2;

    private final List<EntityManagerFactory> factories = new ArrayList<>();

    /** Looked up and not computed from the user's id, so that a user can move. A real site keeps this in a database. */
    private final Map<Long, Integer> homes = new ConcurrentHashMap<>();

    /** Opens each shard with settings that are added to those of persistence.xml. */
    Shards(IntFunction<Map<String, Object>> settings) {
        for (int shard = 0; shard < COUNT; shard++) {
            factories.add(Persistence.createEntityManagerFactory("shard" + shard, settings.apply(shard)));
        }
    }

    int count() {
        return factories.size();
    }

    EntityManagerFactory get(int shard) {
        return factories.get(shard);
    }

    EntityManagerFactory homeOf(User user) {
        return get(homes.get(user.id()));
    }

    /** Stores a new user, on each shard in turn. */
    User signUp(String name) {
        User user = new User(name);
        int shard = homes.size() % factories.size();
        get(shard).runInTransaction(entities -> entities.persist(user));
        homes.put(user.id(), shard);
        return user;
    }

    void movedTo(User user, int shard) {
        homes.put(user.id(), shard);
    }

    /** Asks all shards, and puts the answers together. */
    <T> Stream<T> ask(Function<EntityManager, List<T>> question) {
        return factories.stream().flatMap(factory -> factory.callInTransaction(question::apply).stream());
    }

    @Override
    public void close() {
        factories.forEach(EntityManagerFactory::close);
    }
}
