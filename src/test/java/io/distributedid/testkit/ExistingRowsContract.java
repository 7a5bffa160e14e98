package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.IdForm;
import io.distributedid.internal.existing.StartIds;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** What the start compares with the rows that a database holds, and what it leaves out, with a warning. */
public abstract class ExistingRowsContract {

    /** How often a table of one row is doubled until it is large. */
    private static final int DOUBLINGS = 17;

    private static final String EXISTING = "distributedid.existing_ids";

    private static final String TIMEOUT = "distributedid.existing_ids_timeout";

    /** A busy machine must not leave a column uncompared. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final String UUID = "9f2b6c1e-0000-4000-8000-000000000000";

    @Entity(name = "Voucher")
    @Table(name = "voucher")
    static class Voucher {
        @Id
        @DistributedId(seq = "vouchers")
        @Column(length = 40)
        String id;
    }

    @Entity(name = "Parcel")
    @Table(name = "parcel")
    static class Parcel {
        @Id
        @DistributedId(seq = "parcels", padded = true)
        @Column(length = 40)
        String id;
    }

    @Embeddable
    static class Tax {
        @DistributedValue(seq = "tax_codes")
        @Column(name = "tax_code", length = 40)
        String code;
    }

    @Entity(name = "Bill")
    @Table(name = "bill")
    @SecondaryTable(name = "bill_copy")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Bill {
        @Id
        Long id;

        @DistributedValue(seq = "bill_numbers")
        @Column(name = "bill_number")
        Long number;

        @DistributedValue(seq = "copy_codes", padded = true)
        @Column(name = "copy_code", table = "bill_copy", length = 40)
        String copyCode;

        @Embedded
        Tax tax = new Tax();
    }

    @Entity(name = "Reminder")
    @Table(name = "reminder")
    static class Reminder extends Bill {
        @DistributedValue(seq = "reminder_codes")
        @Column(name = "reminder_code", length = 40)
        String code;
    }

    /** The URL of a schema, which is empty before the first call. */
    protected abstract String url(String schema) throws SQLException;

    /** The statements after which other sessions wait for a table. */
    protected List<String> lock(String table) {
        return List.of();
    }

    @Test
    void textsAreComparedAsNumbers() throws SQLException {
        String url = url("texts_as_numbers");
        create(url, Voucher.class);
        execute(url, "INSERT INTO voucher VALUES ('9'), ('10'), ('999'), ('1000')");

        assertThatThrownBy(() -> start(url, "refuse", Voucher.class).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        Voucher.class.getName() + " (seq=vouchers): A counter would give ids that exist: ")
                .hasMessageContaining("there is an id 1000 already");
        try (SessionFactory factory = start(url, "raise", Voucher.class)) {
            assertThat(persist(factory, new Voucher()).id).isEqualTo("1001");
        }
    }

    @Test
    void textsThatAreNoIdsAreLeftOut() throws SQLException {
        String url = url("foreign_texts");
        create(url, Voucher.class, Parcel.class);
        String foreign = "('" + UUID + "'), ('abc'), ('XYZ'), (''), ('-5'), ('9 9'), ('9223372036854775808'),"
                + " ('99999999999999999999')";
        execute(
                url,
                "INSERT INTO voucher VALUES ('10'), ('00012'), " + foreign,
                "INSERT INTO parcel VALUES ('0000000000000000010'), ('12'), " + foreign);

        assertThatThrownBy(() -> start(url, "refuse", Voucher.class).close())
                .hasMessageContaining("there is an id 10 already");
        assertThatThrownBy(() -> start(url, "refuse", Parcel.class).close())
                .hasMessageContaining("there is an id 10 already");
        try (SessionFactory factory = start(url, "raise", Voucher.class, Parcel.class)) {
            assertThat(persist(factory, new Voucher()).id).isEqualTo("11");
            assertThat(persist(factory, new Parcel()).id).isEqualTo("0000000000000000011");
        }
    }

    @Test
    void theStartSaysWhereNoTextIsAnId() throws SQLException {
        String url = url("no_ids");
        create(url, Voucher.class);
        execute(url, "INSERT INTO voucher VALUES ('" + UUID + "')");
        assertThat(warnings(url, Voucher.class))
                .singleElement()
                .asString()
                .startsWith(Voucher.class.getName() + ".id (seq=vouchers) is not compared with the ids that exist:"
                        + " table=")
                .contains("voucher column=id, because none of its texts is an id in decimal digits");
        execute(url, "DELETE FROM voucher");
        assertThat(warnings(url, Voucher.class)).isEmpty();
    }

    @Test
    void otherColumnsAreComparedWhereverTheyAreMapped() throws SQLException {
        String url = url("other_columns");
        create(url, Bill.class, Reminder.class);
        execute(
                url,
                "INSERT INTO bill (id, bill_number, tax_code) VALUES (1, 70, '800')",
                "INSERT INTO bill (id, bill_number, tax_code) VALUES (2, 60, '90')",
                "INSERT INTO bill_copy (id, copy_code) VALUES (1, '0000000000000000500')",
                "INSERT INTO reminder (id, reminder_code) VALUES (1, '1000'), (2, '600')");
        try (SessionFactory factory = start(url, "raise", Bill.class, Reminder.class)) {
            Reminder reminder = new Reminder();
            reminder.id = 3L;
            persist(factory, reminder);
            assertThat(reminder.number).isEqualTo(71);
            assertThat(reminder.tax.code).isEqualTo("801");
            assertThat(reminder.copyCode).isEqualTo("0000000000000000501");
            assertThat(reminder.code).isEqualTo("1001");
        }
    }

    /** Each server with the ids of its remainder: the first has odd ones. */
    @Test
    void ofTwoServersTheOneThatGivesSuchTextsIsRefused() throws SQLException {
        String url = url("two_servers");
        Map<String, String> servers =
                Map.of("distributedid.sequence_table.servers", url("server_one") + ", " + url("server_two"));
        create(url, servers, Voucher.class, Parcel.class);
        execute(url("server_two"), "UPDATE sequence SET id = 30000 WHERE name IN ('vouchers', 'parcels')");
        execute(url, "INSERT INTO voucher VALUES ('30000'), ('999'), ('abc')");
        execute(url, "INSERT INTO parcel VALUES ('0000000000000030000'), ('0000000000000000999'), ('abc')");
        for (Class<?> entity : List.of(Voucher.class, Parcel.class)) {
            assertThatThrownBy(() -> start(url, "refuse", servers, entity).close())
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("there is an id 999 already");
        }
    }

    @Test
    void aLargeTableIsComparedOnlyByAnIndex() throws SQLException {
        String url = url("large");
        create(url, Bill.class);
        execute(url, "INSERT INTO bill (id, bill_number, tax_code) VALUES (1, 1, '1')");
        for (int each = 0; each < DOUBLINGS; each++) {
            long rows = 1L << each;
            execute(
                    url,
                    "INSERT INTO bill (id, bill_number, tax_code) SELECT id + " + rows + ", bill_number + " + rows
                            + ", '1' FROM bill");
        }
        assertThat(warnings(url, Bill.class))
                .hasSize(2)
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith(Bill.class.getName() + ".number (seq=bill_numbers) is not compared with the ids"
                                + " that exist: table=")
                        .contains("bill column=bill_number, because no index begins with the column, and the table has"
                                + " more than 100000 rows. If the sequence lies below them, it issues ids twice."))
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith(Bill.class.getName() + ".tax.code (seq=tax_codes) is not compared")
                        .contains("because the largest of unpadded texts is found only by reading all, and the"
                                + " table has more than 100000 rows"));

        execute(url, "CREATE INDEX wrong_order ON bill (tax_code, bill_number)");
        assertThat(warnings(url, Bill.class)).hasSize(2);
        execute(url, "CREATE INDEX by_number ON bill (bill_number)");
        assertThatThrownBy(() -> start(url, "refuse", Bill.class).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("there is an id " + (1L << DOUBLINGS) + " already");
    }

    @Test
    void paddedTextsOfALargeTableAreComparedByTheirIndex() throws SQLException {
        String url = url("large_padded");
        create(url, Parcel.class, Bill.class);
        execute(url, "INSERT INTO parcel VALUES ('0000000000000000000'), ('" + UUID + "')");
        for (int each = 0; each < DOUBLINGS; each++) {
            long rows = 1L << each;
            execute(url, "INSERT INTO parcel SELECT " + padded(rows) + " FROM parcel WHERE id NOT LIKE '%-%'");
        }
        try (LoggedWarnings log = log()) {
            assertThatThrownBy(() -> start(url, "refuse", Parcel.class).close())
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("there is an id " + ((1L << DOUBLINGS) - 1) + " already");
            assertThat(log.messages())
                    .as("nothing was left out")
                    .singleElement()
                    .asString()
                    .startsWith("The SessionFactory is not created: ");
        }
    }

    /** The id of a row, raised. */
    private static String padded(long more) {
        return "SUBSTRING(CAST(10000000000000000000 + CAST(id AS DECIMAL(19)) + " + more + " AS CHAR(20)), 2)";
    }

    @Test
    protected void aTableThatDoesNotAnswerInTimeDoesNotFailTheStart() throws SQLException {
        String url = url("locked");
        create(url, Parcel.class);
        execute(url, "INSERT INTO parcel VALUES ('0000000000000000010')");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : lock("parcel")) {
                statement.execute(sql);
            }
            // MariaDB's driver would wait for the lock before there is a connection.
            String connecting = url.replace("createDatabaseIfNotExist=true", "createDatabaseIfNotExist=false");
            assertThat(warnings(connecting, Map.of(TIMEOUT, "1s"), Parcel.class))
                    .singleElement()
                    .asString()
                    .startsWith(Parcel.class.getName() + ".id (seq=parcels) is not compared")
                    .contains("because the database did not answer within 1000 ms (" + TIMEOUT + ")");
        }
        assertThatThrownBy(() -> start(url, "refuse", Parcel.class).close())
                .hasMessageContaining("there is an id 10 already");
    }

    @Test
    void theSessionIsLeftAsItWas() throws SQLException {
        String url = url("session");
        execute(url, "CREATE TABLE parcel (id VARCHAR(19) PRIMARY KEY)", "INSERT INTO parcel VALUES ('12')");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (!limitOfSession().isEmpty()) {
                statement.execute(limitOfSession().get(0));
            }
            List<Object> before = session(connection);
            assertThat(read(connection, IdForm.DECIMAL).ids()).containsExactly(12L);
            assertThat(session(connection)).isEqualTo(before);

            connection.setAutoCommit(false);
            before = session(connection);
            assertThat(read(connection, IdForm.PADDED).gap()).isEqualTo("none of its texts is an id in decimal digits");
            assertThat(session(connection)).isEqualTo(before);
        }
    }

    /** A statement that limits queries to 7 s, and the query of that limit; none if the driver knows it. */
    protected List<String> limitOfSession() {
        return List.of();
    }

    private List<Object> session(Connection connection) throws SQLException {
        List<Object> session = new ArrayList<>(List.of(connection.getAutoCommit(), connection.getNetworkTimeout()));
        try (Statement statement = connection.createStatement()) {
            if (limitOfSession().isEmpty()) {
                session.add(statement.getQueryTimeout());
            } else {
                try (ResultSet row = statement.executeQuery(limitOfSession().get(1))) {
                    row.next();
                    session.add(row.getString(1));
                }
            }
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return session;
    }

    private static StartIds.Found read(Connection connection, IdForm form) throws SQLException {
        IdColumn column = new IdColumn("parcel", "id", form, 1, 0);
        return new StartIds(connection).read(Map.of(column, LIMIT)).get(column);
    }

    @Test
    void theTimeInTextsIsCompared() throws SQLException {
        String url = url("time_in_texts");
        create(url, Voucher.class);
        execute(url, "INSERT INTO voucher VALUES ('12'), ('9000000000000000000')");
        Map<String, String> snowflake =
                Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "1");
        assertThatThrownBy(() -> start(url, "refuse", snowflake, Voucher.class).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("id=9000000000000000000");
        execute(url, "DELETE FROM voucher WHERE id <> '12'");
        start(url, "refuse", snowflake, Voucher.class).close();
    }

    /** For the command line, which does not know how ids are written. */
    @Test
    void withoutAnEntityTextsOfBothFormsAreFound() throws SQLException {
        String url = url("without_entity");
        create(url, Voucher.class);
        execute(url, "INSERT INTO voucher VALUES ('9'), ('10'), ('abc'), ('0000000000000000012'), ('" + UUID + "')");
        try (SessionFactory factory = start(url, "ignore", Voucher.class);
                Connection connection = DriverManager.getConnection(url)) {
            DistributedIds ids = DistributedIdService.of(factory).ids();
            assertThatThrownBy(() -> ids.admin().requireAbove("vouchers", connection, "voucher", "id"))
                    .hasMessageContaining("there is an id 12 already");
        }
    }

    private static List<String> warnings(String url, Class<?>... entities) {
        return warnings(url, Map.of(), entities);
    }

    private static List<String> warnings(String url, Map<String, String> more, Class<?>... entities) {
        try (LoggedWarnings log = log()) {
            start(url, "refuse", more, entities).close();
            return log.messages();
        }
    }

    private static LoggedWarnings log() {
        return LoggedWarnings.ofPackage(DistributedIdService.class.getPackage());
    }

    private static void create(String url, Class<?>... entities) {
        create(url, Map.of(), entities);
    }

    /** The tables and the counters. */
    private static void create(String url, Map<String, String> more, Class<?>... entities) {
        Map<String, String> settings = new TreeMap<>(more);
        settings.put("hibernate.hbm2ddl.auto", "update");
        start(url, "ignore", settings, entities).close();
    }

    private static SessionFactory start(String url, String mode, Class<?>... entities) {
        return start(url, mode, Map.of(), entities);
    }

    private static SessionFactory start(String url, String mode, Map<String, String> more, Class<?>... entities) {
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", url)
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.create_tables", "true")
                .setProperty("distributedid.block.max", "1")
                .setProperty(EXISTING, mode)
                .setProperty(TIMEOUT, LIMIT.toString());
        more.forEach(configuration::setProperty);
        Stream.of(entities).forEach(configuration::addAnnotatedClass);
        return configuration.buildSessionFactory();
    }

    private static <T> T persist(SessionFactory factory, T entity) {
        factory.inTransaction(session -> session.persist(entity));
        return entity;
    }

    private static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
