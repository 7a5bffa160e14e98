package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.SQLRestriction;
import org.hibernate.annotations.SoftDelete;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows have numbers, and an empty server replaces the one that gave them. */
class OtherServerTest {

    private static final String URL = "jdbc:h2:mem:other_server_rows;DB_CLOSE_DELAY=-1";

    @Entity(name = "Remark")
    static class Remark {
        @Id
        Long id = 1L;

        Long page = 42L;

        @DistributedValue(seq = "remarks", per = "page")
        BigDecimal number;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("other_server_rows", "other_server_1", "other_server_2");
    }

    private static SessionFactory start(Class<?> entity, int server) {
        return new Configuration()
                .addAnnotatedClass(entity)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty(
                        "distributedid.keyed.row.server", "jdbc:h2:mem:other_server_" + server + ";DB_CLOSE_DELAY=-1")
                .setProperty("distributedid.create_tables", "true")
                .buildSessionFactory();
    }

    private static List<String> warningsOfStart(Class<?> entity, int server) {
        try (LoggedWarnings warnings = LoggedWarnings.of(KeyedCheck.class)) {
            start(entity, server).close();
            return List.copyOf(warnings.messages());
        }
    }

    private static void persist(Object row, int server, Consumer<SessionFactory> then) {
        try (SessionFactory factory = start(row.getClass(), server)) {
            factory.inTransaction(session -> session.persist(row));
            then.accept(factory);
        }
    }

    private static void refusesAnotherServer(Object row, Object number) throws SQLException {
        persist(row, 1, factory -> {});
        assertThat(DatabaseRows.rows(URL, "SELECT number FROM " + row.getClass().getSimpleName()))
                .containsExactly(Objects.toString(number));

        assertThat(warningsOfStart(row.getClass(), 1)).isEmpty();
        forgetTheServer(row.getClass());
        assertThatThrownBy(() -> start(row.getClass(), 2))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("Rows have numbers that their sequence has not issued: key=42 has number=1");
    }

    /** The application's database remembers the record of the server. As an operator may, this lets it forget that. */
    private static void forgetTheServer(Class<?> entity) throws SQLException {
        assertThatThrownBy(() -> start(entity, 2))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("A sequence has no record any more: seq=remarks");
        DatabaseRows.execute(URL, "DELETE FROM distributedid WHERE name = '@place/@keyed/remarks'");
    }

    @Test
    void decimalsAreRead() throws SQLException {
        refusesAnotherServer(new Remark(), "1.00");
    }

    @Entity(name = "SoftRemark")
    @SoftDelete
    static class SoftRemark {
        @Id
        Long id = 1L;

        Long page = 42L;

        @DistributedValue(seq = "remarks", per = "page")
        Long number;
    }

    @Entity(name = "RestrictedRemark")
    @SQLRestriction("page <> 42")
    static class RestrictedRemark {
        @Id
        Long id = 1L;

        Long page = 42L;

        @DistributedValue(seq = "remarks", per = "page")
        Long number;
    }

    private static void warnsOfAnotherServer(Class<?> entity) throws SQLException {
        assertThat(DatabaseRows.rows(URL, "SELECT COUNT(*) FROM " + entity.getSimpleName()))
                .containsExactly("1");
        forgetTheServer(entity);
        assertThat(warningsOfStart(entity, 2))
                .singleElement()
                .asString()
                .contains(entity.getSimpleName() + ".number (seq=remarks): It is unknown whether the numbers of rows"
                        + " were issued by their sequence: table=" + entity.getSimpleName()
                        + " column=number, because sessions read no row with a key and a number");
    }

    @Test
    void rowsThatWereDeletedSoftlyAreWarnedOf() throws SQLException {
        persist(
                new SoftRemark(),
                1,
                factory -> factory.inTransaction(session -> session.remove(session.find(SoftRemark.class, 1L))));
        warnsOfAnotherServer(SoftRemark.class);
    }

    @Test
    void rowsOutsideOfARestrictionAreWarnedOf() throws SQLException {
        persist(new RestrictedRemark(), 1, factory -> {});
        warnsOfAnotherServer(RestrictedRemark.class);
    }

    @Entity(name = "TextRemark")
    static class TextRemark {
        @Id
        Long id = 1L;

        Long page = 42L;

        @DistributedValue(seq = "remarks", per = "page")
        String number;
    }

    @Test
    void textsThatThisLibraryHasNotWrittenAreNoNumbers() throws SQLException {
        start(TextRemark.class, 1).close();
        DatabaseRows.execute(URL, "INSERT INTO TextRemark (id, page, number) VALUES (1, 42, 'A-17')");

        assertThat(warningsOfStart(TextRemark.class, 2)).isEmpty();
    }

    /** By their letters, 9 is larger than 10. */
    @Test
    void theRefusalTellsHowToFindTheLargestOfTexts() throws SQLException {
        start(TextRemark.class, 1).close();
        DatabaseRows.execute(URL, "INSERT INTO TextRemark (id, page, number) VALUES (1, 42, '9'), (2, 42, '10')");

        String refusal = catchThrowableOfType(IdConfigurationException.class, () -> start(TextRemark.class, 2))
                .getMessage();

        assertThat(DatabaseRows.rows(URL, refusal.replaceAll(".* Look for the largest number: (.*); or set .*", "$1")))
                .containsExactly("10");
    }
}
