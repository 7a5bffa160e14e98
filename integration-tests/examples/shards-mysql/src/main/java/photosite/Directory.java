package photosite;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.LockModeType;
import jakarta.persistence.Persistence;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Knows the shard of each user. It is looked up, not computed from the user's id, so a user can move.
 *
 * <p>Work with a user's rows holds a shared lock on the user's home; a move of the user holds an exclusive one. So a
 * user never moves while rows are in use, and a move delays only that user.
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
     * Calls {@code work} with a user's home while no other transaction uses the user's rows. Stores what it changes.
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
