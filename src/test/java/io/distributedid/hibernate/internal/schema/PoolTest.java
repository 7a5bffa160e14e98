package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.h2.jdbcx.JdbcConnectionPool;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Taking an id never waits for a connection that is held by a caller who waits for an id. */
@Tag("slow")
class PoolTest {

    private static final String URL = "jdbc:h2:mem:pool;DB_CLOSE_DELAY=-1";

    private static final int PHOTOS = 5_000;

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("pool");
    }

    @Test
    void aPoolOfOneServesATransactionOfManyBlocksIfItIsConfiguredByUrl() {
        Configuration configuration = configuration()
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.connection.pool_size", "1");

        assertThat(persist(configuration, 1)).isEqualTo(PHOTOS);
    }

    @Test
    void aDataSourceOfTwoServesAnyNumberOfThreads() {
        JdbcConnectionPool pool = pool(2);
        try {
            assertThat(persist(configuration(pool), 4)).isEqualTo(PHOTOS);
            assertThat(pool.getActiveConnections()).as("all given back").isZero();
        } finally {
            pool.dispose();
        }
    }

    @Test
    void aDataSourceOfOneIsRefusedAtStart() {
        JdbcConnectionPool pool = pool(1);
        try {
            Configuration configuration = configuration(pool).setProperty("distributedid.block.timeout", "2s");
            String said = "the persistence unit's own database said: No connection within 2000 ms: the persistence"
                    + " unit's own database. If it comes from a pool, the pool must have room for one more connection,"
                    + " which is kept for ids";

            assertThatThrownBy(() -> configuration.buildSessionFactory().close())
                    .isInstanceOf(IdUnavailableException.class)
                    .as("either of the two that need it at start")
                    .extracting(Throwable::getMessage)
                    .isIn(
                            "The application's database provides no connection: " + said,
                            "No server gives ids; " + said + Pages.onCall("no-server"));
        } finally {
            pool.dispose();
        }
    }

    private static long persist(Configuration configuration, int threads) {
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                all.add(pool.submit(() -> factory.inTransaction(session -> {
                    for (int i = 0; i < PHOTOS / threads; i++) {
                        session.persist(new Photo());
                    }
                })));
            }
            all.forEach(PoolTest::join);
            pool.shutdown();
            return factory.fromSession(session -> session.createQuery("select count(p.id) from Photo p", Long.class)
                    .getSingleResult());
        }
    }

    private static void join(Future<?> future) {
        try {
            future.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static JdbcConnectionPool pool(int connections) {
        JdbcConnectionPool pool = JdbcConnectionPool.create(URL, "", "");
        pool.setMaxConnections(connections);
        pool.setLoginTimeout(30);
        return pool;
    }

    private static Configuration configuration(JdbcConnectionPool pool) {
        Configuration configuration = configuration();
        configuration.getProperties().put("hibernate.connection.datasource", pool);
        return configuration;
    }

    private static Configuration configuration() {
        return new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.backend", "sequence_table");
    }
}
