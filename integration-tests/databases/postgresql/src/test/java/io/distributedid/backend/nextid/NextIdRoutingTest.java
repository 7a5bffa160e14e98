package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.postgresql.Postgres;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One session, two shards: a DataSource leads each transaction to the shard that the application has chosen for it. */
class NextIdRoutingTest {

    private static final int ROWS = 3;

    private static final int TURNS = 10;

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    /** Leads to the schema {@code route_<shard>}. */
    private static final class Routing implements DataSource {

        private int shard = 1;

        @Override
        public Connection getConnection() throws SQLException {
            return DriverManager.getConnection(Postgres.url() + "&currentSchema=route_" + shard);
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        @Override
        public PrintWriter getLogWriter() {
            return null;
        }

        @Override
        public void setLogWriter(PrintWriter out) {}

        @Override
        public void setLoginTimeout(int seconds) {}

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            return type.cast(this);
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return type.isInstance(this);
        }
    }

    private final Routing routing = new Routing();

    private Connection connection;

    private SessionFactory factory;

    @BeforeEach
    void createShards() throws SQLException {
        connection = Shards.connect();
        Shards.recreate(connection, "route_1", "route_2");
        for (int shard = 1; shard <= 2; shard++) {
            NextIdSchema.create(connection, Shards.settings(NextIdForm.HARDENED), "route_" + shard, shard);
            Shards.execute(connection, "CREATE TABLE route_" + shard + ".Photo (id bigint PRIMARY KEY)");
        }
        Configuration configuration =
                new Configuration().addAnnotatedClass(Photo.class).setProperty("distributedid.backend", "next_id");
        configuration.getProperties().put("hibernate.connection.datasource", routing);
        factory = configuration.buildSessionFactory();
    }

    @AfterEach
    void close() throws SQLException {
        factory.close();
        connection.close();
    }

    private void assertOwnIds(int rows) throws SQLException {
        long strangers = 0;
        long all = 0;
        for (int shard = 1; shard <= 2; shard++) {
            String from = " FROM route_" + shard + ".Photo";
            all += Shards.number(connection, "SELECT count(*)" + from);
            strangers += Shards.number(connection, "SELECT count(*)" + from + " WHERE (id >> 10) & 8191 <> " + shard);
        }
        assertThat(all).isEqualTo(rows);
        assertThat(strangers).as("ids of the other shard, of %d", all).isZero();
    }

    @Test
    void aSessionsTransactions() throws SQLException {
        try (Session session = factory.openSession()) {
            for (int turn = 0; turn < TURNS; turn++) {
                routing.shard = 1 + turn % 2;
                Transaction transaction = session.beginTransaction();
                for (int row = 0; row < ROWS; row++) {
                    session.persist(new Photo());
                }
                transaction.commit();
            }
        }

        assertOwnIds(TURNS * ROWS);
    }

    @Test
    void aSessionsTransactionsAfterOneThatWasRolledBack() throws SQLException {
        try (Session session = factory.openSession()) {
            routing.shard = 1;
            session.beginTransaction();
            session.persist(new Photo());
            session.persist(new Photo());
            session.getTransaction().rollback();
            session.clear();
            routing.shard = 2;
            session.beginTransaction();
            session.persist(new Photo());
            session.getTransaction().commit();
        }

        assertOwnIds(1);
    }

    @Test
    void aStatelessSessionsTransactions() throws SQLException {
        try (StatelessSession session = factory.openStatelessSession()) {
            for (int turn = 0; turn < TURNS; turn++) {
                routing.shard = 1 + turn % 2;
                session.beginTransaction();
                for (int row = 0; row < ROWS; row++) {
                    session.insert(new Photo());
                }
                session.getTransaction().commit();
            }
        }

        assertOwnIds(TURNS * ROWS);
    }

    @Test
    void aStatelessSessionWithoutTransactions() throws SQLException {
        try (StatelessSession session = factory.openStatelessSession()) {
            for (int turn = 0; turn < TURNS; turn++) {
                routing.shard = 1 + turn % 2;
                for (int row = 0; row < ROWS; row++) {
                    session.insert(new Photo());
                }
            }
        }

        assertOwnIds(TURNS * ROWS);
    }
}
