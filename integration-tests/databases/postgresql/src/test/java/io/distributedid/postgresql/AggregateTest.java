package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.Struct;
import org.hibernate.cfg.Configuration;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers in embedded objects that PostgreSQL stores in one column. */
class AggregateTest {

    @MappedSuperclass
    abstract static class Base {
        @Id
        @DistributedId(seq = "boxes")
        Long id;
    }

    @Embeddable
    static class Label {
        @DistributedValue(seq = "labels")
        Long number;

        String text = "text";
    }

    @Embeddable
    @Struct(name = "label_type")
    static class TypedLabel {
        @DistributedValue(seq = "labels")
        Long number;

        String text = "text";
    }

    @Entity(name = "JsonBox")
    static class JsonBox extends Base {
        @JdbcTypeCode(SqlTypes.JSON)
        Label label = new Label();
    }

    @Entity(name = "StructBox")
    static class StructBox extends Base {
        TypedLabel label = new TypedLabel();
    }

    @Entity(name = "XmlBox")
    static class XmlBox extends Base {
        @JdbcTypeCode(SqlTypes.SQLXML)
        Label label = new Label();
    }

    @Entity(name = "StructsBox")
    static class StructsBox extends Base {
        @JdbcTypeCode(SqlTypes.STRUCT_ARRAY)
        TypedLabel[] labels = {new TypedLabel()};
    }

    @BeforeEach
    void create() throws SQLException {
        execute("CREATE SCHEMA boxes");
    }

    @AfterEach
    void drop() throws SQLException {
        execute("DROP SCHEMA boxes CASCADE");
    }

    private static SessionFactory start(Class<?> entity, String existing) {
        Configuration configuration =
                new Configuration().addAnnotatedClass(entity).addAnnotatedClass(TypedLabel.class);
        configuration.setProperty("hibernate.connection.url", Postgres.url() + "&currentSchema=boxes");
        configuration.setProperty("hibernate.hbm2ddl.auto", existing.isEmpty() ? "create" : "none");
        configuration.setProperty("hibernate.hbm2ddl.halt_on_error", "true");
        configuration.setProperty("distributedid.backend", "sequence_table");
        configuration.setProperty("distributedid.existing_ids", existing.isEmpty() ? "refuse" : existing);
        return configuration.buildSessionFactory();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "JsonBox|'{\"number\": 40000}'|label->>'number'",
                "StructBox|ROW(40000, 'text')|(label).number",
                "XmlBox|'<e><number>40000</number></e>'|(xpath('/e/number/text()', label))[1]",
            })
    void isGeneratedAndComparedWithThoseThatExist(String name, String stored, String read) throws Exception {
        Class<?> type = Class.forName(AggregateTest.class.getName() + '$' + name);
        try (SessionFactory factory = start(type, "")) {
            persist(factory, type);
        }
        assertThat(numbers(name, read)).containsExactly("1");
        execute("UPDATE boxes." + name + " SET label = " + stored);

        assertThatThrownBy(() -> start(type, "refuse"))
                .hasRootCauseInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(type.getName() + " (seq=labels): ")
                .hasMessageContaining("40000");
        try (SessionFactory factory = start(type, "raise")) {
            persist(factory, type);
        }
        assertThat(numbers(name, read)).containsExactly("40000", "40001");
    }

    @Test
    void inAnArrayItIsRefused() {
        assertThatThrownBy(() -> start(StructsBox.class, ""))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A @DistributedValue has no effect here: " + StructsBox.class.getName()
                        + ".labels.number, because Hibernate stores the object, or the list or array of"
                        + " them, as one value");
    }

    private static void persist(SessionFactory factory, Class<?> type) throws ReflectiveOperationException {
        Object entity = type.getDeclaredConstructor().newInstance();
        factory.inTransaction(session -> session.persist(entity));
    }

    private static List<String> numbers(String table, String read) throws SQLException {
        try (Connection connection = DriverManager.getConnection(Postgres.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT " + read + " FROM boxes." + table + " ORDER BY id")) {
            List<String> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getString(1));
            }
            return numbers;
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(Postgres.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
