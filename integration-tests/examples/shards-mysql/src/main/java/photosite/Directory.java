package photosite;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.LockModeType;
import jakarta.persistence.Persistence;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Says which shard a user lives on. The answer is looked up and not computed from the user's id, so that a user can
 * move.
 *
 * <p>Who works with a user's rows holds a shared lock on the user's home, and who moves the user an exclusive one: a
 * user does not move under somebody's feet, and nobody waits for the move of another user.
 */
final class Directory implements AutoCloseable {

    private final EntityManagerFactory factory;

    /** Opens the directory with settings that are added to those of persistence.xml. */
    Directory(Map<String, ?> settings) {
        factory = Persistence.createEntityManagerFactory("directory", settings);
    }

    void add(long user, int shard) {
        factory.runInTransaction(entities -> entities.persist(new Home(user, shard)));
    }

    /** Does something on the shard of a user, who stays there until it is done. */
    <T> T atHome(long user, IntFunction<T> work) {
        return factory.callInTransaction(entities ->
                work.apply(home(entities, user, LockModeType.PESSIMISTIC_READ).shard()));
    }

    /**
     * Does something with a user's home, while nobody works with the user's rows; a change is stored when it is done.
     */
    void alone(long user, Consumer<Home> work) {
        factory.runInTransaction(entities -> work.accept(home(entities, user, LockModeType.PESSIMISTIC_WRITE)));
    }

    private static Home home(EntityManager entities, long user, LockModeType lock) {
        Home home = entities.find(Home.class, user, lock);
        if (home == null) {
            throw new IllegalArgumentException("There is no such user: " + user);
        }
        return home;
    }

    @Override
    public void close() {
        factory.close();
    }
}
