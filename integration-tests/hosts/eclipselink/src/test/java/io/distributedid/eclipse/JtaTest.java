package io.distributedid.eclipse;

import static org.assertj.core.api.Assertions.assertThat;

import com.arjuna.ats.jta.transaction.Transaction;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Under JTA: ids are reserved outside of the application's transaction, although the only pool enlists what is borrowed
 * in one. {@code block.max} is 1: each id is fetched while its caller waits in its transaction.
 */
class JtaTest {

    private static final TransactionManager TRANSACTIONS = com.arjuna.ats.jta.TransactionManager.transactionManager();

    private static final int PHOTOS = 20;

    private final Application application = new Application("jta");

    private final ObservedDataSource pool = new ObservedDataSource(application.url());

    @BeforeEach
    void usePool() {
        application.with("jakarta.persistence.jtaDataSource", pool.dataSource());
    }

    @AfterEach
    void endTransaction() throws Exception {
        if (TRANSACTIONS.getStatus() != Status.STATUS_NO_TRANSACTION) {
            TRANSACTIONS.rollback();
        }
    }

    private static List<Long> persist(EntityManagerFactory factory) {
        List<Long> given = new ArrayList<>();
        try (EntityManager manager = factory.createEntityManager()) {
            for (int i = 0; i < PHOTOS; i++) {
                given.add(Application.persist(manager, 1).get(0).id);
                manager.flush();
            }
        }
        return given;
    }

    private List<Long> stored() {
        return application.query("SELECT id FROM Photo ORDER BY id").stream()
                .map(Long::valueOf)
                .toList();
    }

    private long reserved() {
        return Long.parseLong(application
                .query("SELECT id FROM sequence WHERE name = 'photos'")
                .get(0));
    }

    @Test
    void idsAreReservedBesideTheTransaction() throws Exception {
        try (EntityManagerFactory factory = application.start()) {
            TRANSACTIONS.begin();
            List<Long> given = persist(factory);

            assertThat(stored()).as("not committed").isEmpty();
            assertThat(reserved()).as("for good").isGreaterThanOrEqualTo(given.get(PHOTOS - 1));
            assertThat(((Transaction) TRANSACTIONS.getTransaction()).getResources())
                    .as("the application's connection")
                    .hasSize(1);
            TRANSACTIONS.commit();

            assertThat(stored()).isEqualTo(given);
            assertThat(pool.enlisted.keySet())
                    .containsExactly(Thread.currentThread().getName());
        }
        assertThat(pool.open).as("connections after the close").hasValue(0);
    }

    @Test
    void whatIsRolledBackIsNotGivenAgain() throws Exception {
        try (EntityManagerFactory factory = application.start()) {
            TRANSACTIONS.begin();
            List<Long> lost = persist(factory);
            TRANSACTIONS.rollback();
            TRANSACTIONS.begin();
            List<Long> given = persist(factory);
            TRANSACTIONS.commit();

            assertThat(given).allMatch(id -> id > lost.get(PHOTOS - 1));
            assertThat(stored()).isEqualTo(given);
        }
    }

    @Test
    void aFactoryIsCreatedInATransactionThatIsRolledBack() throws Exception {
        TRANSACTIONS.begin();
        try (EntityManagerFactory factory = application.start()) {
            List<Long> lost = persist(factory);
            TRANSACTIONS.rollback();

            assertThat(application.tables()).contains("DISTRIBUTEDID", "SEQUENCE");
            TRANSACTIONS.begin();
            assertThat(persist(factory)).allMatch(id -> id > lost.get(PHOTOS - 1));
            TRANSACTIONS.commit();
        }
    }
}
