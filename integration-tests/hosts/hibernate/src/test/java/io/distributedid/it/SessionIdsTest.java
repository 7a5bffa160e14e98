package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.junit.jupiter.api.Test;

/**
 * Ids that the row's own database makes: asked for on the session's connection, few round trips, JDBC batches as ever.
 */
class SessionIdsTest {

    /** Of a user. */
    @Entity(name = "Clip")
    static class Clip {
        @Id
        @DistributedId(seq = "clips")
        Long id;

        long userId;

        Clip() {}

        Clip(long userId) {
            this.userId = userId;
        }
    }

    /** The INSERTs that Hibernate prepares. */
    static final class Inserts implements StatementInspector {

        private static final long serialVersionUID = 1L;

        private final transient List<String> prepared = new ArrayList<>();

        @Override
        public String inspect(String sql) {
            if (sql.startsWith("insert")) {
                prepared.add(sql);
            }
            return sql;
        }
    }

    private static void persist(Session session, int count) {
        for (int i = 0; i < count; i++) {
            session.persist(new Photo());
        }
    }

    @Test
    void aSessionAsksForMoreEachTimeAndBatchesItsInserts() {
        Inserts inserts = new Inserts();
        Unit unit = ConnectionIds.unit(Photo.class)
                .with("hibernate.jdbc.batch_size", "100")
                .with("hibernate.session_factory.statement_inspector", inserts);
        try (SessionFactory factory = unit.start()) {
            factory.inTransaction(session -> persist(session, 100));

            assertThat(ConnectionIds.ASKED).containsExactly(1, 2, 4, 8, 16, 32, 50);
            assertThat(inserts.prepared).hasSize(1);
            assertThat(unit.query("SELECT COUNT(DISTINCT id) FROM Photo")).containsExactly("100");
        }
    }

    @Test
    void itAsksAtOnceForTheBatchThatItWasToldToWrite() {
        try (SessionFactory factory = ConnectionIds.unit(Photo.class).start()) {
            factory.inTransaction(session -> {
                session.setJdbcBatchSize(30);
                persist(session, 31);
            });

            assertThat(ConnectionIds.ASKED).containsExactly(30, 50);
        }
    }

    @Test
    void aBatchOfOneIsARoundTripForEachId() {
        Unit unit = ConnectionIds.unit(Photo.class).with("distributedid.next_id.batch", "1");
        try (SessionFactory factory = unit.start()) {
            factory.inTransaction(session -> persist(session, 3));

            assertThat(ConnectionIds.ASKED).containsExactly(1, 1, 1);
        }
    }

    @Test
    void idsComeOnTheConnectionThatWritesTheRow() {
        try (SessionFactory factory = ConnectionIds.unit(Photo.class).start()) {
            AtomicReference<Connection> writing = new AtomicReference<>();
            factory.inTransaction(session -> {
                session.persist(new Photo());
                session.doWork(connection -> writing.set(connection.unwrap(Connection.class)));
            });
            factory.inStatelessTransaction(session -> session.insert(new Photo()));

            assertThat(ConnectionIds.CONNECTIONS.get(0)).isSameAs(writing.get());
            assertThat(ConnectionIds.ASKED).containsExactly(1, 1);
        }
    }

    @Test
    void whatASessionHasLeftReachesNoOther() {
        try (SessionFactory factory = ConnectionIds.unit(Photo.class).start()) {
            factory.inTransaction(session -> persist(session, 2));
            factory.inTransaction(session -> persist(session, 1));

            assertThat(ConnectionIds.ASKED).containsExactly(1, 2, 1);
        }
    }

    @Test
    void whatATransactionHasLeftReachesNoOtherOfItsSession() {
        try (SessionFactory factory = ConnectionIds.unit(Photo.class).start();
                Session session = factory.openSession()) {
            for (int i = 0; i < 2; i++) {
                session.beginTransaction();
                persist(session, 2);
                session.getTransaction().commit();
            }
            session.beginTransaction();
            persist(session, 2);
            session.getTransaction().rollback();
            session.beginTransaction();
            persist(session, 1);
            session.getTransaction().commit();

            assertThat(ConnectionIds.ASKED).containsExactly(1, 2, 1, 2, 1, 2, 1);
        }
    }

    @Test
    void withoutATransactionNothingIsLeft() {
        try (SessionFactory factory = ConnectionIds.unit(Photo.class).start();
                StatelessSession session = factory.openStatelessSession()) {
            for (int i = 0; i < 3; i++) {
                session.insert(new Photo());
            }

            assertThat(ConnectionIds.ASKED).containsExactly(1, 1, 1);
        }
    }

    @Test
    void aRollbackGivesNoIdBack() {
        Unit unit = ConnectionIds.unit(Photo.class);
        try (SessionFactory factory = unit.start()) {
            Photo first = new Photo();
            try (Session session = factory.openSession()) {
                session.beginTransaction();
                session.persist(first);
                session.getTransaction().rollback();
            }
            Photo second = Unit.persist(factory, new Photo());

            assertThat(second.id).isNotEqualTo(first.id);
        }
    }

    @Test
    void anHqlInsertHasItsSessionToo() {
        Unit unit = ConnectionIds.unit(Clip.class);
        try (SessionFactory factory = unit.start()) {
            factory.inTransaction(session -> session.createMutationQuery("insert into Clip (userId) values (19)")
                    .executeUpdate());

            assertThat(unit.query("SELECT id FROM Clip")).containsExactly(Long.toString(3 << 20 | 1));
        }
    }

    @Test
    void aRowThatIsOnItsWayToAnotherShardIsRefused() {
        Unit unit = ConnectionIds.unit(Clip.class)
                .with("distributedid.shard.from", "entity.userId")
                .with("distributedid.shard.count", "16");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Clip(19)).id).isEqualTo(3 << 20 | 1);
            assertThatThrownBy(() -> Unit.persist(factory, new Clip(20)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(
                            "A row must be written to its own shard: the row has shard=4, the database that it would be"
                                    + " written to gave id=3145730 of shard=3. Check the connection of the session"
                                    + " (schema, search_path) and the function's shard");
        }
    }

    @Test
    void withoutHibernateTheConnectionIsGiven() {
        Unit unit = ConnectionIds.unit(Photo.class);
        try (SessionFactory factory = unit.start()) {
            long id = factory.fromTransaction(session ->
                    session.doReturningWork(connection -> Unit.ids(factory).next("photos", connection)));

            assertThat(id).isEqualTo(3 << 20 | 1);
            assertThatThrownBy(() -> Unit.ids(factory).next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The ids of this sequence come from the shard that the row is written to. Call"
                            + " DistributedIds.next(sequence, connection)");
        }
    }
}
