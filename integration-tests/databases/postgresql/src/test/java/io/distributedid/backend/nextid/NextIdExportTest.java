package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.postgresql.Postgres;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.ColumnDefault;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** The function in Hibernate's schema export: there before the tables that have it as DEFAULT, and never set back. */
class NextIdExportTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        @ColumnDefault("export.next_id()")
        Long id;

        @Column
        String name;
    }

    @Test
    void everyExportLeavesTheSequenceWhereItWas() throws SQLException {
        try (Connection connection = Shards.connect()) {
            Shards.recreate(connection, "export");
            List<Long> ids = new ArrayList<>();
            for (String mode :
                    List.of("create", "update", "validate", "create-drop", "create-drop", "create", "update")) {
                try (SessionFactory factory = open(mode, "42")) {
                    factory.inTransaction(session -> session.createNativeMutationQuery(
                                    "INSERT INTO export.Photo (name) VALUES ('" + mode + "')")
                            .executeUpdate());
                    ids.add(Shards.number(connection, "SELECT max(id) FROM export.Photo"));
                }
            }

            assertThat(ids).isSorted().doesNotHaveDuplicates();
            assertThat(ids)
                    .allSatisfy(id ->
                            assertThat(Shards.LAYOUT.decode(id).field("shard")).isEqualTo(42));
        }
    }

    @Test
    void anExportWithAnotherShardChangesNothingAndTheStartFails() throws SQLException {
        try (Connection connection = Shards.connect()) {
            Shards.recreate(connection, "export");
            open("create", "42").close();

            assertThatThrownBy(() -> open("update", "43"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The function must make ids of shard 43: function=export.next_id id=");
            assertThat(Shards.LAYOUT.decode(Shards.id(connection, "export")).field("shard"))
                    .isEqualTo(42);
        }
    }

    private static SessionFactory open(String mode, String shard) {
        return new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", Postgres.url())
                .setProperty("hibernate.default_schema", "export")
                .setProperty("hibernate.hbm2ddl.auto", mode)
                .setProperty("distributedid.backend", "next_id")
                .setProperty("distributedid.next_id.shard", shard)
                .buildSessionFactory();
    }
}
