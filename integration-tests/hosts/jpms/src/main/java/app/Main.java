package app;

import io.distributedid.DistributedId;
import org.hibernate.SessionFactory;
import org.hibernate.Version;
import org.hibernate.cfg.Configuration;

/**
 * Works only if Hibernate finds every service of the library: the one that exports the sequence table, the one that
 * gives ids from it, and the one that checks the settings at start.
 */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        persist();
        startWithWrongSettings();
    }

    private static void persist() {
        try (SessionFactory factory = start("sequence_table")) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            require(photo.id == 1, "id=" + photo.id);
            require(DistributedId.class.getModule().isNamed(), "the library is on the class path");
            require(Version.class.getModule().isNamed(), "Hibernate is on the class path");
            System.out.println("Persisted with id " + photo.id + ", " + DistributedId.class.getModule() + ", "
                    + Version.class.getModule() + " " + Version.getVersionString());
        }
    }

    private static void startWithWrongSettings() {
        try (SessionFactory factory = start("nonsense")) {
            require(factory.isClosed(), "started without a backend");
        } catch (RuntimeException e) {
            require(e.getMessage().contains("distributedid.backend=nonsense"), e.getMessage());
            System.out.println("Refused: " + e.getMessage());
        }
    }

    private static SessionFactory start(String backend) {
        return new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:app")
                .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                .setProperty("distributedid.backend", backend)
                .buildSessionFactory();
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }
}
