package io.distributedid.it;

import io.distributedid.DistributedIds;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.function.LongSupplier;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * What a web application would hold, made by the class loader of {@link ClassLoaderTest}, and used through types of the
 * JDK.
 */
public final class IsolatedApplication implements LongSupplier, AutoCloseable {

    private final SessionFactory factory;

    private final DistributedIds ids;

    private final int worker;

    /**
     * Starts it.
     *
     * @param number of the application; names its databases
     */
    public IsolatedApplication(Integer number) {
        String url = "jdbc:h2:mem:application" + number + ";DB_CLOSE_DELAY=-1";
        factory = new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", url)
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .setProperty("distributedid.backend", "sequence_table")
                // The test knows each id. On a busy machine the start of the other application lasts longer than a
                // block may, and ids would be dropped.
                .setProperty("distributedid.block.max_age", "10m")
                .buildSessionFactory();
        // A worker number is held in the JVM: the applications have one each.
        worker = 1_000 + number;
        ids = DistributedIds.create(Map.of(
                "distributedid.backend", "snowflake", "distributedid.snowflake.worker", Integer.toString(worker)));
    }

    /** Persists a photo and returns its id. */
    @Override
    public long getAsLong() {
        Photo photo = new Photo();
        factory.inTransaction(session -> session.persist(photo));
        if (ids.decode("photos", ids.next("photos")).field("worker") != worker) {
            throw new IllegalStateException("Another's worker number");
        }
        return photo.id;
    }

    /** Stops it as a container would: what it registered with the JVM is taken out. */
    @Override
    public void close() throws SQLException {
        if (factory.isClosed()) {
            return;
        }
        String url = (String) factory.getProperties().get("hibernate.connection.url");
        ids.close();
        factory.close();
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.createStatement().execute("SHUTDOWN");
        }
        for (Driver driver : Collections.list(DriverManager.getDrivers())) {
            if (driver.getClass().getClassLoader() == getClass().getClassLoader()) {
                DriverManager.deregisterDriver(driver);
            }
        }
    }
}
