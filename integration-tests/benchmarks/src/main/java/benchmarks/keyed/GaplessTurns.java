package benchmarks.keyed;

import benchmarks.MySql;
import benchmarks.Rounds.Rate;
import benchmarks.keyed.Invoices.ByHand;
import benchmarks.keyed.Invoices.Invoice;
import benchmarks.keyed.Invoices.Ours;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * Hibernate persists invoices on a durable MySQL, each transaction some of one customer, with JDBC batches. Their
 * numbers without gaps come from the annotation, or from a statement by hand for each row: the fastest one that MySQL
 * has, whose answer brings the number. One thread, which nobody keeps waiting.
 */
final class GaplessTurns implements AutoCloseable {

    private static final int CUSTOMERS = 100;

    private static final Duration BEGIN = Duration.ofMillis(200);

    private static final String BY_HAND = "UPDATE by_hand SET n = LAST_INSERT_ID(n + 1) WHERE customer = ?";

    private final MySql server = MySql.start();

    private final SessionFactory ours = factory(Ours.class, "ours");

    private final SessionFactory byHand = factory(ByHand.class, "byhand");

    private final AtomicLong last = new AtomicLong();

    private final Duration time;

    GaplessTurns(Duration time) throws IOException {
        this.time = time;
        byHand.inTransaction(session -> {
            session.createNativeMutationQuery("create table by_hand (customer bigint primary key, n bigint not null)")
                    .executeUpdate();
            for (int customer = 0; customer < CUSTOMERS; customer++) {
                session.createNativeMutationQuery("insert into by_hand values (" + customer + ", 0)")
                        .executeUpdate();
            }
        });
        // A pool has several connections: the record of the sequence is known once a second one has read it.
        ours.inTransaction(session -> persist(session, new Ours(), 0));
        ours.inTransaction(first -> {
            first.createNativeQuery("select 1", Integer.class).getSingleResult();
            ours.inTransaction(second -> persist(second, new Ours(), 0));
        });
    }

    private SessionFactory factory(Class<? extends Invoice> entity, String schema) {
        return new Configuration()
                .addAnnotatedClass(entity)
                .setProperty("hibernate.connection.url", server.url(schema))
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .setProperty("hibernate.jdbc.batch_size", "50")
                .setProperty("distributedid.keyed.backend", "row")
                .buildSessionFactory();
    }

    /** Rows for each second, so many in a transaction. */
    Rate ours(int rows) throws Exception {
        return rate(ours, (session, customer) -> {
            for (int i = 0; i < rows; i++) {
                persist(session, new Ours(), customer);
            }
            return rows;
        });
    }

    /** As above. */
    Rate byHand(int rows) throws Exception {
        return rate(byHand, (session, customer) -> {
            for (int i = 0; i < rows; i++) {
                ByHand invoice = new ByHand();
                invoice.number(session.doReturningWork(connection -> take(connection, customer)));
                persist(session, invoice, customer);
            }
            return rows;
        });
    }

    private interface Transaction {

        int persist(Session session, long customer);
    }

    private Rate rate(SessionFactory factory, Transaction transaction) throws Exception {
        FlatOut.Work work = () ->
                factory.fromTransaction(session -> transaction.persist(session, last.incrementAndGet() % CUSTOMERS));
        Rate rate = FlatOut.rate(List.of(work), BEGIN, time);
        factory.inTransaction(session -> requireNoGap(session));
        return rate;
    }

    private void persist(Session session, Invoice invoice, long customer) {
        invoice.set(last.incrementAndGet(), customer);
        session.persist(invoice);
    }

    private static long take(Connection connection, long customer) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(BY_HAND, Statement.RETURN_GENERATED_KEYS)) {
            update.setLong(1, customer);
            update.executeUpdate();
            try (ResultSet key = update.getGeneratedKeys()) {
                key.next();
                return key.getLong(1);
            }
        }
    }

    private static void requireNoGap(Session session) {
        List<?> customers = session.createNativeQuery(
                        "select customer from " + Invoices.TABLE + " group by customer"
                                + " having min(number) <> 1 or max(number) <> count(distinct number)",
                        Long.class)
                .getResultList();
        if (!customers.isEmpty()) {
            throw new IllegalStateException("Numbers are missing or were given twice: customers=" + customers);
        }
    }

    @Override
    public void close() {
        ours.close();
        byHand.close();
        server.close();
    }
}
