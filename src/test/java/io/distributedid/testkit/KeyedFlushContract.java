package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.hibernate.Interceptor;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.junit.jupiter.api.Test;

/** As {@link KeyedEntityContract}, with what Hibernate does alike on each database: it is enough to show that once. */
public abstract class KeyedFlushContract extends KeyedEntityContract {

    @Test
    void aVetoOfARowWithoutGapsIsRefused() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            AtomicInteger inserts = new AtomicInteger();
            PreInsertEventListener veto =
                    event -> event.getEntity() instanceof Invoice && inserts.incrementAndGet() == 2;
            ((SessionFactoryImplementor) factory)
                    .getServiceRegistry()
                    .requireService(EventListenerRegistry.class)
                    .appendListeners(EventType.PRE_INSERT, veto);
            Consumer<Session> rows = session -> {
                for (int i = 0; i < 3; i++) {
                    session.persist(new Invoice("a"));
                }
            };
            try (Session session = factory.openSession()) {
                Transaction transaction = session.beginTransaction();
                rows.accept(session);
                assertThatThrownBy(session::flush)
                        .hasStackTraceContaining("A row that has a number without gaps was not inserted: ")
                        .hasStackTraceContaining("Invoice.number (seq=invoices) per=customer key=a unused=[3]. A"
                                + " PreInsertEventListener must neither veto its insert nor change its key");
                requireRollbackOnly(transaction);
            }
            factory.inTransaction(rows);
            assertThat(numbers(factory, "a")).isEqualTo(upTo(3));
        }
    }

    /** Hibernate then begins a flush within the flush. */
    @Test
    void aQueryWithinAFlushLeavesNoGap() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            flushThreeInvoices(
                    factory,
                    session -> session.createQuery("select count(c) from Conversation c", Long.class)
                            .getSingleResult());
            assertThat(numbers(factory, "a")).isEqualTo(upTo(6));
        }
    }

    @Test
    void aLookForChangesWithinAFlushLeavesNoGap() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            flushThreeInvoices(factory, Session::isDirty);
            assertThat(numbers(factory, "a")).isEqualTo(upTo(6));
        }
    }

    private static void listenToInserts(SessionFactory factory, Runnable look) {
        PostInsertEventListener listener = new PostInsertEventListener() {
            private static final long serialVersionUID = 1L;

            @Override
            public void onPostInsert(PostInsertEvent event) {
                look.run();
            }

            @Override
            public boolean requiresPostCommitHandling(EntityPersister persister) {
                return false;
            }
        };
        ((SessionFactoryImplementor) factory)
                .getServiceRegistry()
                .requireService(EventListenerRegistry.class)
                .appendListeners(EventType.POST_INSERT, listener);
    }

    /** Looks at the session after each insert. */
    private static void flushThreeInvoices(SessionFactory factory, Consumer<Session> look) {
        AtomicReference<Session> flushed = new AtomicReference<>();
        listenToInserts(factory, () -> look.accept(flushed.get()));
        for (int i = 0; i < 2; i++) {
            factory.inTransaction(session -> {
                flushed.set(session);
                for (int j = 0; j < 3; j++) {
                    session.persist(new Invoice("a"));
                }
            });
        }
    }

    @Test
    void anInsertAtOnceTakesOneNumberARow() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            List<Parcel> parcels = Stream.of(7, 7, 8).map(Parcel::new).toList();
            factory.inTransaction(session -> {
                session.persist(parcels.get(0));
                assertThat(parcels.get(0).number).isEqualTo(1);
                session.persist(parcels.get(1));
                session.persist(parcels.get(2));
            });
            Parcel last = factory.fromTransaction(session -> session.merge(new Parcel(7)));

            assertThat(parcels).extracting(parcel -> parcel.number).containsExactly(1, 2, 1);
            assertThat(last.number).isEqualTo(3);
        }
    }

    @Test
    void aStatelessSessionTakesOneNumberARowAndNoneWithoutGaps() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            List<Receipt> receipts = Stream.of("a", "b", "a").map(Receipt::new).toList();
            factory.inStatelessTransaction(session -> receipts.forEach(session::insert));
            assertThat(receipts).extracting(receipt -> receipt.number).containsExactly("1", "1", "2");

            for (Object row : List.of(new Invoice("a"), new Parcel(7))) {
                assertThatThrownBy(() -> factory.inStatelessTransaction(session -> session.insert(row)))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining(
                                "Only persist(), merge() and flush() of a Session can take a number without gaps: ")
                        .hasMessageContaining(" session=StatelessSessionImpl. They roll back if an insert fails. Insert"
                                + " the row with persist()");
            }
            factory.inTransaction(session -> session.persist(new Invoice("a")));
            assertThat(numbers(factory, "a")).isEqualTo(upTo(1));
        }
    }

    /** The query needs the rows that the flush is about to insert. */
    @Test
    void aFlushWithinAFlushGivesNoNumbers() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            AtomicReference<Session> flushed = new AtomicReference<>();
            AtomicInteger flushes = new AtomicInteger();
            Interceptor interceptor = new Interceptor() {
                @Override
                public void preFlush(Iterator<Object> entities) {
                    if (flushes.incrementAndGet() == 1) {
                        flushed.get().createQuery("from Invoice", Invoice.class).getResultList();
                    }
                }
            };
            try (Session session =
                    factory.withOptions().interceptor(interceptor).openSession()) {
                flushed.set(session);
                session.beginTransaction();
                session.persist(new Invoice("a"));
                assertThatThrownBy(session::flush)
                        .hasStackTraceContaining("A flush within a flush can't take numbers per key: ")
                        .hasStackTraceContaining("Invoice.number (seq=invoices) per=customer key=a. A query or a"
                                + " flush() in a callback, listener or Interceptor of the outer flush started it");
                session.getTransaction().rollback();
            }
            factory.inTransaction(session -> session.persist(new Invoice("a")));
            assertThat(numbers(factory, "a")).isEqualTo(upTo(1));
        }
    }

    /** In a transaction after which Hibernate would let it go on. */
    private void timeOut(
            Predicate<String> statement, int which, Consumer<Session> work, BiConsumer<Session, Transaction> after)
            throws SQLException {
        AtomicInteger left = new AtomicInteger();
        SentStatements database = SentStatements.timingOut(
                newUrl(), sql -> statement.test(sql.toLowerCase()) && left.decrementAndGet() == 0);
        try (SessionFactory factory = start(database)) {
            Consumer<Session> rows = session -> {
                session.persist(new Invoice("a"));
                session.persist(new Invoice("b"));
                session.persist(new Parcel(7));
            };
            factory.inTransaction(rows);
            try (Session session = factory.openSession()) {
                Transaction transaction = session.beginTransaction();
                left.set(which);
                assertThatThrownBy(() -> work.accept(session)).hasStackTraceContaining("times out in this test");
                after.accept(session, transaction);
            }
            factory.inTransaction(rows);

            for (String customer : List.of("a", "b")) {
                assertThat(numbers(factory, customer))
                        .isEqualTo(upTo(numbers(factory, customer).size()));
            }
            List<Integer> parcels = factory.fromTransaction(
                    session -> session.createQuery("select p.number from Parcel p order by p.number", Integer.class)
                            .getResultList());
            assertThat(parcels).containsExactly(1, 2);
        }
    }

    private static void flushInvoices(Session session) {
        session.persist(new Invoice("a"));
        session.persist(new Invoice("b"));
        session.flush();
    }

    /** The database may have taken the number that timed out. */
    @Test
    void aFlushThatTimedOutIsRolledBack() throws SQLException {
        for (int which : new int[] {1, 2}) {
            timeOut(
                    KeyedEntityContract::takesNumbers,
                    which,
                    KeyedFlushContract::flushInvoices,
                    (session, transaction) -> {
                        session.clear();
                        requireRollbackOnly(transaction);
                    });
        }
        timeOut(
                sql -> sql.startsWith("insert into invoice"),
                1,
                KeyedFlushContract::flushInvoices,
                (session, transaction) -> {
                    session.clear();
                    requireRollbackOnly(transaction);
                });
    }

    @Test
    void aRowWhoseInsertAtOnceTimedOutIsRolledBack() throws SQLException {
        for (Consumer<Session> insert : List.<Consumer<Session>>of(
                session -> session.persist(new Parcel(7)), session -> session.merge(new Parcel(7)))) {
            timeOut(sql -> sql.startsWith("insert into parcel"), 1, insert, (session, transaction) -> {
                session.clear();
                requireRollbackOnly(transaction);
            });
        }
    }

    @Test
    void aTransactionAfterOneThatTimedOutIsNotRefused() throws SQLException {
        timeOut(KeyedEntityContract::takesNumbers, 2, KeyedFlushContract::flushInvoices, (session, transaction) -> {
            transaction.rollback();
            session.clear();
            session.beginTransaction();
            flushInvoices(session);
            session.getTransaction().commit();
        });
    }

    /** Hibernate calls it before the flush is over. */
    @Test
    void aQueryOfAnInterceptorAfterTheFlushIsNotRefused() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            AtomicReference<Session> flushed = new AtomicReference<>();
            Interceptor interceptor = new Interceptor() {
                @Override
                public void postFlush(Iterator<Object> entities) {
                    flushed.get().createQuery("from Invoice", Invoice.class).getResultList();
                }
            };
            try (Session session =
                    factory.withOptions().interceptor(interceptor).openSession()) {
                flushed.set(session);
                Transaction transaction = session.beginTransaction();
                flushInvoices(session);
                flushInvoices(session);
                transaction.commit();
            }
            assertThat(numbers(factory, "a")).isEqualTo(upTo(2));
        }
    }

    @Test
    void aRowWithoutAKeyOrWithANumberOrWithoutATransactionIsRefused() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            Invoice numbered = new Invoice("a");
            numbered.number = 7;
            assertRefused(
                    factory, new Invoice(null), "Invoice.number (seq=invoices) per=customer is null. Set it before");
            assertRefused(
                    factory, new Invoice(" a"), "A key must not begin or end with white space: seq=invoices key=' a'");
            assertRefused(factory, numbered, "A number per key must not be set before its row is inserted: ");
            assertThat(numbers(factory, "a")).isEmpty();
        }
        try (SessionFactory factory = start(newUrl(), Map.of("hibernate.allow_update_outside_transaction", true));
                Session session = factory.openSession()) {
            session.persist(new Invoice("a"));
            assertThatThrownBy(session::flush)
                    .hasStackTraceContaining("Numbers without gaps need a transaction. Begin one, and commit it");
        }
    }

    private static void assertRefused(SessionFactory factory, Invoice invoice, String message) {
        assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(invoice)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(message);
    }

    @Test
    void sectionsAreOfTheIssuingServiceAlone() {
        assertThatThrownBy(() -> start(newUrl(), Map.of("distributedid.seq.messages.keyed.backend", "section")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("keyed.backend=section, allowed: row or remote in an application")
                .hasMessageContaining("Set it to remote, and distributedid.keyed.remote.servers");
    }
}
