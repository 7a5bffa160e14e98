package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.hibernate.HibernateException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;
import org.hibernate.resource.transaction.spi.TransactionStatus;
import org.junit.jupiter.api.Test;

/** Numbers per key of entities, with and without gaps, in the application's database. */
public abstract class KeyedEntityContract {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    @Entity(name = "Conversation")
    static class Conversation {
        @Id
        Long id;

        protected Conversation() {}

        Conversation(long id) {
            this.id = id;
        }
    }

    @Entity(name = "Message")
    static class Message {
        @Id
        String id = UUID.randomUUID().toString();

        @ManyToOne
        Conversation conversation;

        @DistributedValue(seq = "messages", per = "conversation")
        Long number;

        protected Message() {}

        Message(Conversation conversation) {
            this.conversation = conversation;
        }
    }

    @Entity(name = "Invoice")
    static class Invoice {
        @Id
        String id = UUID.randomUUID().toString();

        String customer;

        @DistributedValue(seq = "invoices", per = "customer", gapless = true)
        long number;

        protected Invoice() {}

        Invoice(String customer) {
            this.customer = customer;
        }
    }

    @Entity(name = "Parcel")
    static class Parcel {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        int address;

        @DistributedValue(seq = "parcels", per = "address", gapless = true)
        Integer number;

        protected Parcel() {}

        Parcel(int address) {
            this.address = address;
        }
    }

    @Entity(name = "Receipt")
    static class Receipt {
        @Id
        String id = UUID.randomUUID().toString();

        String customer;

        @DistributedValue(seq = "receipts", per = "customer")
        String number;

        protected Receipt() {}

        Receipt(String customer) {
            this.customer = customer;
        }
    }

    /** The URL of a database, which is empty at the first call with its name. */
    protected abstract String url(String name) throws SQLException;

    String newUrl() throws SQLException {
        return url("keyed_entity_" + DATABASES.incrementAndGet());
    }

    static SessionFactory start(Object database) {
        return start(database, Map.of());
    }

    static SessionFactory start(Object database, Map<String, Object> more) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Conversation.class)
                .addAnnotatedClass(Message.class)
                .addAnnotatedClass(Invoice.class)
                .addAnnotatedClass(Parcel.class)
                .addAnnotatedClass(Receipt.class);
        configuration
                .getProperties()
                .putAll(PatientSettings.of(Map.of(
                        database instanceof String ? "hibernate.connection.url" : "hibernate.connection.datasource",
                        database,
                        "hibernate.hbm2ddl.auto",
                        "update",
                        "hibernate.connection.pool_size",
                        "20",
                        "hibernate.jdbc.batch_size",
                        "50")));
        configuration.getProperties().putAll(more);
        return configuration.buildSessionFactory();
    }

    static List<Long> numbers(SessionFactory factory, String customer) {
        return factory.fromTransaction(session -> session.createQuery(
                        "select i.number from Invoice i where i.customer = :customer order by i.number", Long.class)
                .setParameter("customer", customer)
                .getResultList());
    }

    static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    @Test
    void aFlushNumbersTheRowsOfEachKeyInTheOrderOfTheirInserts() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            Conversation one = new Conversation(1);
            Conversation two = new Conversation(2);
            List<Message> messages = new ArrayList<>();
            factory.inTransaction(session -> {
                session.persist(one);
                session.persist(two);
                for (int i = 0; i < 6; i++) {
                    Message message = new Message(i % 3 == 0 ? two : one);
                    messages.add(message);
                    session.persist(message);
                }
            });
            factory.inTransaction(session -> {
                Message message = new Message(session.getReference(Conversation.class, 2L));
                messages.add(message);
                session.persist(message);
            });

            assertThat(messages).extracting(message -> message.number).containsExactly(1L, 1L, 2L, 2L, 3L, 4L, 3L);
            assertThat(DistributedIdService.of(factory).ids().keyed("messages").current(1))
                    .isEqualTo(4);
        }
    }

    @Test
    void aFlushWithoutGapsLocksEachKeyOnceAndSendsOneBatch() throws SQLException {
        SentStatements database = SentStatements.to(newUrl());
        try (SessionFactory factory = start(database)) {
            int before = database.sent().size();
            factory.inTransaction(session -> {
                for (int i = 0; i < 40; i++) {
                    session.persist(new Invoice(i % 2 == 0 ? "a" : "b"));
                }
            });
            List<String> sent = database.sent().subList(before, database.sent().size());
            assertThat(sent.stream().filter(sql -> sql.toLowerCase().contains("invoice (")))
                    .as("%s", sent)
                    .hasSize(1);
            int second = database.sent().size();
            factory.inTransaction(session -> {
                for (int i = 0; i < 40; i++) {
                    session.persist(new Invoice(i % 2 == 0 ? "a" : "b"));
                }
            });
            sent = database.sent().subList(second, database.sent().size());
            assertThat(sent.stream().filter(KeyedEntityContract::takesNumbers))
                    .as("%s", sent)
                    .hasSize(2);
            assertThat(numbers(factory, "a")).isEqualTo(upTo(40));
            assertThat(numbers(factory, "b")).isEqualTo(upTo(40));
        }
    }

    @Test
    void aRollbackGivesNumbersBack() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            for (int i = 0; i < 4; i++) {
                boolean isKept = i % 2 == 0;
                try (Session session = factory.openSession()) {
                    Transaction transaction = session.beginTransaction();
                    session.persist(new Invoice("a"));
                    session.flush();
                    session.persist(new Invoice("a"));
                    session.flush();
                    if (isKept) {
                        transaction.commit();
                    } else {
                        transaction.rollback();
                    }
                }
            }
            assertThat(numbers(factory, "a")).isEqualTo(upTo(4));
        }
    }

    @Test
    void aRollbackToASavepointGivesNumbersBack() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            factory.inTransaction(session -> {
                session.persist(new Invoice("a"));
                session.flush();
                Savepoint savepoint = session.doReturningWork(connection -> connection.setSavepoint());
                session.persist(new Invoice("a"));
                session.persist(new Invoice("b"));
                session.flush();
                session.clear();
                session.doWork(connection -> connection.rollback(savepoint));
                session.persist(new Invoice("a"));
                session.persist(new Invoice("b"));
            });
            assertThat(numbers(factory, "a")).isEqualTo(upTo(2));
            assertThat(numbers(factory, "b")).isEqualTo(upTo(1));
        }
    }

    protected int keys() {
        return 1_000;
    }

    @Test
    void manyKeysFromEightThreadsMakeNoDeadlockAndNoGap() throws Exception {
        try (SessionFactory factory = start(newUrl())) {
            Together.run(8, thread -> {
                Random random = ThreadLocalRandom.current();
                for (int i = 0; i < 5; i++) {
                    List<String> keys = new ArrayList<>(IntStream.range(0, keys())
                            .mapToObj(Integer::toString)
                            .toList());
                    Collections.shuffle(keys, random);
                    factory.inTransaction(
                            session -> keys.subList(0, keys() / 10).forEach(key -> session.persist(new Invoice(key))));
                }
                return true;
            });
            List<Object[]> keys = factory.fromTransaction(session -> session.createQuery(
                            "select i.customer, max(i.number), count(*), count(distinct i.number) from Invoice i"
                                    + " group by i.customer",
                            Object[].class)
                    .getResultList());
            assertThat(keys)
                    .hasSizeGreaterThan(keys() * 9 / 10)
                    .allSatisfy(key -> assertThat(key[1]).isEqualTo(key[2]).isEqualTo(key[3]));
        }
    }

    @Test
    void aFailedFlushCommitsNothing() throws SQLException {
        try (SessionFactory factory = start(newUrl())) {
            Invoice first = new Invoice("a");
            factory.inTransaction(session -> session.persist(first));
            try (Session session = factory.openSession()) {
                Transaction transaction = session.beginTransaction();
                Invoice again = new Invoice("a");
                again.id = first.id;
                session.persist(again);
                session.persist(new Invoice("b"));
                assertThatThrownBy(session::flush).isInstanceOf(HibernateException.class);
                session.clear();
                assertThat(transaction.getStatus()).isEqualTo(TransactionStatus.MARKED_ROLLBACK);
                transaction.rollback();
            }
            factory.inTransaction(session -> session.persist(new Invoice("a")));

            assertThat(numbers(factory, "a")).isEqualTo(upTo(2));
            assertThat(numbers(factory, "b")).isEmpty();
        }
    }

    static boolean takesNumbers(String sql) {
        return sql.contains("keyed_sequence") && (sql.contains("number + ") || sql.contains("t.number"));
    }

    /** Hibernate then rolls back instead of the commit. */
    static void requireRollbackOnly(Transaction transaction) {
        assertThat(transaction.getStatus()).isEqualTo(TransactionStatus.MARKED_ROLLBACK);
        transaction.commit();
    }

    @Test
    void rowsWithNumbersOfAnUncountedSequenceAreRefusedAtStart() throws SQLException {
        String url = newUrl();
        try (SessionFactory factory = start(url)) {
            factory.inTransaction(session -> session.persist(new Invoice("a")));
        }
        DatabaseRows.execute(url, "DELETE FROM keyed_sequence WHERE name = 'invoices'");

        assertThatThrownBy(() -> start(url))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("Invoice.number (seq=invoices): Rows have numbers, but no key of their sequence")
                .hasMessageContaining("INSERT INTO keyed_sequence (name, key_text, number) SELECT 'invoices'");

        DatabaseRows.execute(
                url,
                "INSERT INTO keyed_sequence (name, key_text, number)"
                        + " SELECT 'invoices', customer, MAX(number) FROM Invoice GROUP BY customer");
        try (SessionFactory factory = start(url)) {
            factory.inTransaction(session -> session.persist(new Invoice("a")));
            assertThat(numbers(factory, "a")).isEqualTo(upTo(2));
        }
    }

    private static Receipt persistReceipts(SessionFactory factory, int count) {
        return factory.fromTransaction(session -> {
            Receipt last = new Receipt("a");
            for (int i = 1; i < count; i++) {
                session.persist(new Receipt("a"));
            }
            session.persist(last);
            return last;
        });
    }

    /** By their letters, 9 is larger than 10. */
    @Test
    void theAdviceForUncountedTextsFindsTheLargest() throws SQLException {
        String url = newUrl();
        try (SessionFactory factory = start(url)) {
            persistReceipts(factory, 10);
            Receipt other = persistReceipts(factory, 1);
            factory.inTransaction(session -> session.merge(other).number = "A-17");
        }
        DatabaseRows.execute(url, "DELETE FROM keyed_sequence WHERE name = 'receipts' AND key_text = 'a'");

        String refusal = catchThrowableOfType(IdConfigurationException.class, () -> start(url))
                .getMessage();
        DatabaseRows.execute(
                url,
                refusal.replaceAll(".*(INSERT INTO .*); or set .*", "$1")
                        .replace("<key as text>", "customer")
                        .replace("<key>", "customer"));
        try (SessionFactory factory = start(url)) {
            assertThat(persistReceipts(factory, 1).number).isEqualTo("11");
        }
    }

    private static void persistMessages(SessionFactory factory, int count) {
        factory.inTransaction(session -> {
            for (int i = 0; i < count; i++) {
                session.persist(new Message(session.merge(new Conversation(1))));
            }
        });
    }

    @Test
    void rowsWithNumbersThatOtherServersHaveNotGivenAreRefusedAtStart() throws SQLException {
        String url = newUrl();
        String server = newUrl();
        Map<String, Object> servers = Map.of(
                "distributedid.seq.messages.keyed.row.server",
                List.of(server),
                "distributedid.seq.messages.create_tables",
                true);
        start(url, servers).close();
        try (SessionFactory factory = start(url)) {
            persistMessages(factory, 2);
        }
        assertThatThrownBy(() -> start(url, servers))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(
                        "Message.number (seq=messages): Rows have numbers that their sequence has not issued")
                .hasMessageContaining("VALUES ('messages', ' floor', ");

        DatabaseRows.execute(
                server, "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', ' floor', 2)");
        for (int start = 0; start < 2; start++) {
            try (SessionFactory factory = start(url, servers)) {
                persistMessages(factory, 1);
            }
        }
        assertThat(DatabaseRows.rows(server, "SELECT number FROM keyed_sequence WHERE key_text = '1'"))
                .containsExactly("4");
    }

    /** After the keys went over from sections, or were deleted, only the floor is left. */
    @Test
    void aFloorAboveAllNumbersOfRowsCountsThemAndOneBelowIsPartOfTheAdvice() throws SQLException {
        String url = newUrl();
        try (SessionFactory factory = start(url)) {
            Conversation one = new Conversation(1);
            factory.inTransaction(session -> {
                session.persist(one);
                for (int i = 0; i < 5; i++) {
                    session.persist(new Message(one));
                }
            });
        }
        DatabaseRows.execute(
                url,
                "DELETE FROM keyed_sequence WHERE name = 'messages' AND key_text = '1'",
                "UPDATE keyed_sequence SET number = 3 WHERE name = 'messages' AND key_text = ' floor'");
        assertThatThrownBy(() -> start(url))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("Message.number (seq=messages): Rows have numbers, but no key of their sequence")
                .hasMessageContaining("Each key would begin at 4.")
                .hasMessageContaining("SELECT 'messages', <key as text>, MAX(")
                .hasMessageContaining(" > 3 GROUP BY <key>; or set");

        DatabaseRows.execute(
                url, "UPDATE keyed_sequence SET number = 10 WHERE name = 'messages' AND key_text = ' floor'");
        try (SessionFactory factory = start(url)) {
            Message next = new Message(new Conversation(1));
            factory.inTransaction(session -> session.persist(next));
            assertThat(next.number).isEqualTo(11);
        }
    }
}
