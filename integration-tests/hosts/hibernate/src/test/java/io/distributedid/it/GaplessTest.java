package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceException;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Numbers without gaps after a lock timeout, for which Hibernate 7 does not end the transaction. */
class GaplessTest {

    private static final TransactionManager TRANSACTIONS = com.arjuna.ats.jta.TransactionManager.transactionManager();

    @Entity(name = "Bill")
    static class Bill {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        int customer;

        @DistributedValue(seq = "bills", per = "customer", gapless = true)
        Long number;

        protected Bill() {}

        Bill(int customer) {
            this.customer = customer;
        }
    }

    @AfterEach
    void endTransaction() throws Exception {
        if (TRANSACTIONS.getStatus() != Status.STATUS_NO_TRANSACTION) {
            TRANSACTIONS.rollback();
        }
    }

    private static void persistBoth(Session session) {
        session.persist(new Bill(1));
        session.persist(new Bill(2));
    }

    /** In a transaction that has begun, while another one has locked the second key. */
    private static void timeOut(SessionFactory locking, Session session) {
        try (Session other = locking.openSession()) {
            other.beginTransaction();
            other.persist(new Bill(2));
            other.flush();
            persistBoth(session);
            assertThatThrownBy(session::flush).isInstanceOf(PersistenceException.class);
            session.clear();
            other.getTransaction().rollback();
        }
    }

    private static void requireNoGap(Unit unit, SessionFactory factory) {
        factory.inTransaction(GaplessTest::persistBoth);
        assertThat(unit.query("SELECT customer || '-' || number FROM Bill ORDER BY 1"))
                .containsExactly("1-1", "1-2", "2-1", "2-2");
    }

    @Test
    void aLockTimeoutLeavesNoGap() {
        Unit unit = Unit.of(Bill.class);
        try (SessionFactory factory = unit.start()) {
            factory.inTransaction(GaplessTest::persistBoth);
            try (Session session = factory.openSession()) {
                session.beginTransaction();
                timeOut(factory, session);
                assertThat(session.getTransaction().getRollbackOnly()).isTrue();
                session.getTransaction().commit();
            }
            requireNoGap(unit, factory);
        }
    }

    @Test
    void aLockTimeoutLeavesNoGapUnderJta() throws Exception {
        Unit unit = Unit.of(Bill.class);
        DataSource pool = JtaPool.AGROAL.open(unit.url());
        try (SessionFactory factory = unit.start()) {
            factory.inTransaction(GaplessTest::persistBoth);
            unit.without("hibernate.connection.url")
                    .with("hibernate.connection.datasource", pool)
                    .with("hibernate.hbm2ddl.auto", "none")
                    .with("hibernate.transaction.coordinator_class", "jta");
            try (SessionFactory jta = unit.start()) {
                TRANSACTIONS.begin();
                try (Session session = jta.openSession()) {
                    timeOut(factory, session);
                    assertThatThrownBy(TRANSACTIONS::commit).isInstanceOf(jakarta.transaction.RollbackException.class);
                }
            }
            requireNoGap(unit, factory);
        } finally {
            ((AutoCloseable) pool).close();
        }
    }
}
