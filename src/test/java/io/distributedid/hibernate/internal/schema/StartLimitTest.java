package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdAdmin;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.PlainDataSource;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A database that hangs, or has large tables, must not delay a start without a limit. */
class StartLimitTest {

    private static final String URL = "jdbc:h2:mem:limit;DB_CLOSE_DELAY=-1";

    private static final String SERVER = "jdbc:h2:mem:limit_ids;DB_CLOSE_DELAY=-1";

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Entity(name = "Message")
    static class Message {
        @Id
        Long id;

        Long conversation;

        @DistributedValue(seq = "messages", per = "conversation", gapless = true)
        Long number;
    }

    @Entity(name = "Remark")
    static class Remark {
        @Id
        Long id;

        Long conversation;

        @DistributedValue(seq = "remarks", per = "conversation")
        Long number;
    }

    @BeforeEach
    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("limit", "limit_ids");
    }

    @ParameterizedTest
    @CsvSource({"none, start", "update, start", "update, lazy"})
    void eachAnswerOfTheDatabaseHasALimit(String schema, String open) throws SQLException {
        createTables();
        DatabaseRows.execute(URL, "CREATE TABLE Message (id BIGINT PRIMARY KEY, conversation BIGINT, number BIGINT)");
        LimitedConnections database = new LimitedConnections();
        Configuration configuration = configuration(Message.class)
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.hbm2ddl.auto", schema);
        configuration.getProperties().put("hibernate.connection.datasource", database);
        configuration.setProperty("distributedid.open", open);

        try (SessionFactory factory = configuration.buildSessionFactory()) {
            factory.inTransaction(session -> session.persist(new Photo()));
        }

        assertThat(database.limited).isNotEmpty();
        assertThat(database.unlimited).isEmpty();
        assertThat(database.returnedWithLimit).isEmpty();
    }

    @Test
    void aTableThatIsTooLargeForTheStartIsWarnedOf() throws SQLException {
        createTables();
        assertThat(warningsOfSlowStart(Message.class, Map.of()))
                .singleElement()
                .asString()
                .contains("Message.number (seq=messages): It is unknown whether the numbers of rows were issued by"
                        + " their sequence: table=")
                .contains("table=Message column=number, because the database did not answer within 1000 ms"
                        + " (distributedid.existing_ids_timeout). Those that were not are issued again.")
                .contains("SELECT MAX(number) FROM Message")
                .endsWith("To end this warning, set distributedid.seq.messages.existing_ids=ignore");
    }

    @Test
    void aTableThatIsTooLargeToBeComparedWithTheFloorIsWarnedOf() throws SQLException {
        createTables();
        DatabaseRows.execute(
                URL, "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('remarks', ' floor', 3)");
        assertThat(warningsOfSlowStart(Remark.class, Map.of()))
                .singleElement()
                .asString()
                .contains("Remark.number (seq=remarks): It is unknown whether the numbers of rows were issued by their")
                .contains("(distributedid.existing_ids_timeout). Those that were not are issued again. Look by hand:");
    }

    @Test
    void aTableThatIsTooLargeToBeComparedWithServersIsWarnedOf() throws SQLException {
        Map<String, String> servers =
                Map.of("distributedid.keyed.row.server", SERVER, "distributedid.create_tables", "true");
        assertThat(warningsOfSlowStart(Remark.class, servers))
                .singleElement()
                .asString()
                .contains("Remark.number (seq=remarks): It is unknown whether the numbers of rows were issued by their"
                        + " sequence: table=Remark column=number, because the database did not answer within 1000 ms"
                        + " (distributedid.existing_ids_timeout). Those that were not are issued again. Look by hand:")
                .endsWith("To end this warning, set distributedid.seq.remarks.existing_ids=ignore");
    }

    /** Each row of the view takes a millisecond, and has no number. */
    private static List<String> warningsOfSlowStart(Class<?> entity, Map<String, String> more) throws SQLException {
        DatabaseRows.execute(
                URL,
                "CREATE ALIAS no_number FOR '" + Rows.class.getName() + ".noNumber'",
                "CREATE VIEW " + entity.getSimpleName()
                        + " AS SELECT x AS id, x AS conversation, no_number(x) AS number"
                        + " FROM SYSTEM_RANGE(1, 1000000000)");
        Configuration configuration = configuration(entity)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("distributedid.existing_ids_timeout", "1s");
        more.forEach(configuration::setProperty);
        try (LoggedWarnings warnings = LoggedWarnings.ofPackage(KeyedCheck.class.getPackage())) {
            CompletableFuture<Void> start = CompletableFuture.runAsync(
                    () -> configuration.buildSessionFactory().close());

            assertThat(start.orTimeout(60, TimeUnit.SECONDS)).succeedsWithin(Duration.ofSeconds(90));

            return List.copyOf(warnings.messages());
        }
    }

    /** Public, since the database calls it. */
    public static final class Rows {

        private Rows() {}

        public static Long noNumber(long row) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(1);
            return null;
        }
    }

    private static void createTables() throws SQLException {
        Map<String, String> settings = Map.of("distributedid.keyed.backend", "row");
        for (String ddl : IdAdmin.ddl(settings, "h2")) {
            DatabaseRows.execute(URL, ddl);
        }
        DatabaseRows.execute(URL, "CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
    }

    private static Configuration configuration(Class<?> entity) {
        return new Configuration()
                .addAnnotatedClass(entity)
                .setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect")
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.sequence_table.servers", SERVER)
                .setProperty("distributedid.create_tables", "true");
    }

    /** Notes which statements of the library have a limit on their connection. */
    private static final class LimitedConnections extends PlainDataSource {

        private static final Set<String> READS = Set.of("createStatement", "prepareStatement");

        private final List<String> unlimited = new CopyOnWriteArrayList<>();

        private final List<String> limited = new CopyOnWriteArrayList<>();

        private final List<String> returnedWithLimit = new CopyOnWriteArrayList<>();

        @Override
        public Connection getConnection() throws SQLException {
            Connection real = DriverManager.getConnection(URL);
            int[] limit = {0};
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                        String name = method.getName();
                        boolean isOurs = Thread.currentThread().getName().startsWith("distributedid-");
                        if (name.equals("setNetworkTimeout")) {
                            limit[0] = (Integer) arguments[1];
                            return null;
                        }
                        if (name.equals("getNetworkTimeout")) {
                            return limit[0];
                        }
                        if (isOurs && READS.contains(name)) {
                            String sql = arguments == null ? name : String.valueOf(arguments[0]);
                            (limit[0] == 0 ? unlimited : limited).add(sql);
                        }
                        if (name.equals("close") && limit[0] != 0) {
                            returnedWithLimit.add(name + " " + limit[0]);
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
