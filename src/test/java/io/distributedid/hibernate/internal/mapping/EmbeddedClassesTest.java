package io.distributedid.hibernate.internal.mapping;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.Struct;
import org.hibernate.cfg.Configuration;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers in objects that are not embedded by the entity itself, or have no columns. */
class EmbeddedClassesTest {

    @Embeddable
    static class Side {
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Embeddable
    static class Box {
        Side side;
    }

    @Entity(name = "OfBox")
    static class OfBox {
        @Id
        Long id;

        Box box;
    }

    @Entity(name = "OfJson")
    static class OfJson {
        @Id
        Long id;

        @JdbcTypeCode(SqlTypes.JSON)
        Side side;
    }

    @Entity(name = "OfStruct")
    static class OfStruct {
        @Id
        Long id;

        @Struct(name = "side")
        Side side;
    }

    private static void assertRefused(Class<?> entity, String message) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(entity)
                .setProperty("hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
                .setProperty("hibernate.boot.allow_jdbc_metadata_access", "false");
        assertThatThrownBy(configuration::buildSessionFactory)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A @DistributedValue has no effect here: ")
                .hasMessageEndingWith(message);
    }

    @Test
    void anObjectWithinAnotherIsRefused() {
        assertRefused(
                OfBox.class,
                "OfBox.box.side.number, because its object is within another object. Put it into the entity, or into an"
                        + " object that the entity embeds directly");
    }

    @ParameterizedTest
    @ValueSource(classes = {OfJson.class, OfStruct.class})
    void anObjectWithoutColumnsIsRefused(Class<?> entity) {
        assertRefused(
                entity,
                ".side.number, because its object is stored as JSON, XML or a STRUCT. Give it columns, or put the"
                        + " number into the entity");
    }
}
