package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.arjuna.ats.jta.transaction.Transaction;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Under JTA, with Narayana as the transaction manager: ids are reserved outside of the application's transaction,
 * although their connections come from pools that enlist what is used in one. {@code block.max} is 1: each id is
 * fetched while its caller waits in its transaction.
 */
class JtaTest {

    private static final TransactionManager TRANSACTIONS = com.arjuna.ats.jta.TransactionManager.transactionManager();

    private static final int PHOTOS = 20;

    static Stream<Arguments> everywhere() {
        return Arrays.stream(JtaPool.values())
                .flatMap(pool -> Arrays.stream(JtaUnit.Ids.values()).map(ids -> Arguments.of(pool, ids)));
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
            assertThat(manager.isJoinedToTransaction()).isTrue();
            for (int i = 0; i < PHOTOS; i++) {
                Photo photo = new Photo();
                manager.persist(photo);
                // The application's connection is in the transaction from the first one on.
                manager.flush();
                given.add(photo.id);
            }
        }
        return given;
    }

    private static List<Long> stored(JtaUnit unit) {
        return unit.query("SELECT id FROM Photo ORDER BY id").stream()
                .map(Long::valueOf)
                .toList();
    }

    /** How many connections are in the current transaction. */
    private static int resources() throws SystemException {
        return ((Transaction) TRANSACTIONS.getTransaction()).getResources().size();
    }

    private static void requireApart(JtaUnit unit) {
        assertThat(unit.ids().inTransactions()).isEmpty();
        assertThat(unit.application().inTransactions()).isEmpty();
        assertThat(unit.ids().enlistedAndReserving()).isZero();
        assertThat(unit.ids().cut()).isZero();
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void idsAreReservedBesideTheTransaction(JtaPool pool, JtaUnit.Ids ids) throws Exception {
        try (JtaUnit unit = new JtaUnit(pool, ids);
                EntityManagerFactory factory = unit.start()) {
            long before = unit.ids().blocks();
            TRANSACTIONS.begin();
            List<Long> given = persist(factory);

            assertThat(stored(unit)).as("not committed").isEmpty();
            assertThat(unit.reserved()).as("for good").isGreaterThanOrEqualTo(given.get(PHOTOS - 1));
            assertThat(resources()).as("the application's connection").isEqualTo(1);
            assertThat(unit.application().enlisted()).isEqualTo(1);
            if (ids != JtaUnit.Ids.SEQUENCE_SERVER_BY_URL) {
                assertThat(unit.ids().blocks() - before).isGreaterThanOrEqualTo(PHOTOS);
                assertThat(unit.ids().reserving()).isEqualTo(1);
            }
            TRANSACTIONS.commit();

            assertThat(stored(unit)).isEqualTo(given);
            requireApart(unit);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsRolledBackIsNotGivenAgain(JtaPool pool) throws Exception {
        try (JtaUnit unit = new JtaUnit(pool, JtaUnit.Ids.SEQUENCE_SERVER);
                EntityManagerFactory factory = unit.start()) {
            TRANSACTIONS.begin();
            List<Long> lost = persist(factory);
            TRANSACTIONS.rollback();
            long last = lost.get(PHOTOS - 1);
            assertThat(unit.reserved()).isGreaterThanOrEqualTo(last);
            TRANSACTIONS.begin();
            List<Long> given = persist(factory);
            TRANSACTIONS.commit();

            assertThat(stored(unit)).isEqualTo(given).allMatch(id -> id > last);
            requireApart(unit);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFactoryIsCreatedAndClosedInATransaction(JtaPool pool) throws Exception {
        try (JtaUnit unit = new JtaUnit(pool, JtaUnit.Ids.OWN_DATABASE)) {
            unit.execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
            unit.execute("INSERT INTO Photo VALUES (500)");
            unit.with("hibernate.hbm2ddl.auto", "update").with("distributedid.existing_ids", "raise");

            TRANSACTIONS.begin();
            List<Long> lost;
            try (EntityManagerFactory factory = unit.start()) {
                lost = persist(factory);
            }
            TRANSACTIONS.rollback();

            long last = lost.get(PHOTOS - 1);
            assertThat(lost.get(0)).isEqualTo(501);
            assertThat(stored(unit)).containsExactly(500L);
            assertThat(unit.reserved()).isGreaterThanOrEqualTo(last);
            requireApart(unit);
            try (EntityManagerFactory factory = unit.start()) {
                TRANSACTIONS.begin();
                assertThat(persist(factory)).allMatch(id -> id > last);
                TRANSACTIONS.commit();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSequenceIsFirstUsedInATransaction(JtaPool pool) throws Exception {
        try (JtaUnit unit = new JtaUnit(pool, JtaUnit.Ids.TICKET_SERVER);
                EntityManagerFactory factory = unit.start()) {
            TRANSACTIONS.begin();
            persist(factory);
            long lost = DistributedIdService.of(factory).ids().next("albums");
            TRANSACTIONS.rollback();

            assertThat(DistributedIdService.of(factory).ids().next("albums")).isGreaterThan(lost);
            requireApart(unit);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSchemaIsExportedInATransaction(JtaPool pool) throws Exception {
        try (JtaUnit unit = new JtaUnit(pool, JtaUnit.Ids.OWN_DATABASE)) {
            TRANSACTIONS.begin();
            try (EntityManagerFactory factory = unit.start()) {
                assertThat(factory.isOpen()).isTrue();
                TRANSACTIONS.rollback();

                assertThat(unit.tables()).containsExactly("DISTRIBUTEDID", "PHOTO", "SEQUENCE");
                assertThat(unit.reserved()).isZero();
                requireApart(unit);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void idsOfTheRowsOwnDatabaseStayInTheirTransaction(JtaPool pool) throws Exception {
        ConnectionIds.ASKED.clear();
        try (JtaUnit unit = new JtaUnit(pool, JtaUnit.Ids.OWN_DATABASE)) {
            unit.execute("CREATE SEQUENCE ids");
            unit.with("distributedid.backend", ConnectionIds.class.getName());
            try (EntityManagerFactory factory = unit.start();
                    EntityManager manager = factory.createEntityManager()) {
                for (int i = 0; i < 2; i++) {
                    TRANSACTIONS.begin();
                    manager.joinTransaction();
                    manager.persist(new Photo());
                    manager.persist(new Photo());
                    TRANSACTIONS.commit();
                }

                assertThat(ConnectionIds.ASKED).containsExactly(1, 2, 1, 2);
                assertThat(stored(unit)).hasSize(4);
            }
        }
    }
}
