package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.testkit.PlainDataSource;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import org.hibernate.cfg.Configuration;
import org.hibernate.dialect.H2Dialect;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A DataSource that chooses its target by the caller, such as Spring's AbstractRoutingDataSource, has none at start.
 */
class RoutingDataSourceTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    private static final class Routing extends PlainDataSource {

        @Override
        public Connection getConnection() {
            throw new IllegalStateException("Cannot determine target DataSource for lookup key [null]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequence_table", "memory"})
    void theMessageSaysWhatItThrewAndWhatToDo(String backend) {
        Configuration configuration = new Configuration().addAnnotatedClass(Photo.class);
        configuration.getProperties().put("hibernate.connection.datasource", new Routing());
        configuration.getProperties().put("hibernate.dialect", H2Dialect.class.getName());
        configuration.getProperties().put("hibernate.boot.allow_jdbc_metadata_access", "false");
        configuration.getProperties().put("distributedid.backend", backend);
        configuration.getProperties().put("distributedid.block.timeout", "1s");

        assertThatThrownBy(configuration::buildSessionFactory)
                .hasMessageContaining(
                        "Cannot determine target DataSource for lookup key [null]. If the DataSource routes, it has no"
                                + " target at start: give it a default target, or set distributedid.open=lazy");
    }
}
