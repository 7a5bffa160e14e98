package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ShardResolver;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.TenantId;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.junit.jupiter.api.Test;

/** Ids that carry the shard of the session's tenant. */
class TenantShardTest {

    /** A schema for each tenant of one H2 database. */
    static final class Schemas implements MultiTenantConnectionProvider<String> {

        private static final long serialVersionUID = 1L;

        private final String url;

        Schemas(String url) {
            this.url = url;
        }

        @Override
        public Connection getAnyConnection() throws SQLException {
            return DriverManager.getConnection(url);
        }

        @Override
        public void releaseAnyConnection(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public Connection getConnection(String tenant) throws SQLException {
            Connection connection = getAnyConnection();
            connection.setSchema(tenant);
            return connection;
        }

        @Override
        public void releaseConnection(String tenant, Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException(type.getName());
        }
    }

    /** Rows of all tenants in one table. */
    @Entity(name = "Note")
    static class Note {
        @Id
        @io.distributedid.DistributedId(seq = "notes")
        Long id;

        @TenantId
        String tenant;
    }

    private static Unit unit(Class<?> entity) {
        return Unit.of(BackendSettings.SNOWFLAKE, entity)
                .with("distributedid.snowflake.layout", "sharded")
                .with("distributedid.shard.from", "tenant");
    }

    private static Unit schemas() {
        Unit unit = unit(Photo.class).with("distributedid.shard.pattern", "SHARD_(\\d+)");
        for (String schema : new String[] {"SHARD_0007", "SHARD_0008", "OTHERS"}) {
            unit.execute("CREATE SCHEMA " + schema);
            unit.execute("CREATE TABLE " + schema + ".Photo (id BIGINT PRIMARY KEY)");
        }
        return unit.without("hibernate.hbm2ddl.auto")
                .with("hibernate.multi_tenant_connection_provider", new Schemas(unit.url()));
    }

    private static Session session(SessionFactory factory, String tenant) {
        return factory.withOptions().tenantIdentifier((Object) tenant).openSession();
    }

    private static Photo persist(SessionFactory factory, String tenant) {
        try (Session session = session(factory, tenant)) {
            Photo photo = new Photo();
            session.beginTransaction();
            session.persist(photo);
            session.getTransaction().commit();
            return photo;
        }
    }

    @Test
    void theNumberInTheTenantsNameIsTheShard() throws SQLException {
        Unit unit = schemas();
        try (SessionFactory factory = unit.start()) {
            Photo seven = persist(factory, "SHARD_0007");
            Photo eight = persist(factory, "SHARD_0008");

            assertThat(Unit.ids(factory).shard("photos").of(seven.id)).isEqualTo(7);
            assertThat(Unit.ids(factory).shard("photos").of(eight.id)).isEqualTo(8);
            assertThat(unit.query("SELECT id FROM SHARD_0007.Photo")).containsExactly(seven.id.toString());
        }
    }

    @Test
    void aTenantWithoutNumberIsRefused() {
        try (SessionFactory factory = schemas().start()) {
            assertThatThrownBy(() -> persist(factory, "OTHERS"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A tenant identifier must contain the shard's number:"
                            + " the session's tenant identifier=OTHERS, allowed:"
                            + " distributedid.shard.pattern=SHARD_(\\d+)");
        }
    }

    @Test
    void aTenantOutOfRangeIsRefused() {
        try (SessionFactory factory =
                schemas().with("distributedid.shard.count", "8").start()) {
            assertThat(persist(factory, "SHARD_0007").id).isPositive();
            assertThatThrownBy(() -> persist(factory, "SHARD_0008"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A shard must exist: shard=8 from the session's tenant"
                            + " identifier=SHARD_0008, allowed: 0 to 7 (distributedid.shard.count)");
        }
    }

    @Test
    void aResolverOfTheUsersMapsTenantsToShards() {
        ShardResolver directory =
                tenant -> Map.of("SHARD_0007", 1007L, "OTHERS", 3L).get(tenant);
        Unit unit = schemas().without("distributedid.shard.pattern").with("distributedid.shard.resolver", directory);
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.ids(factory).shard("photos").of(persist(factory, "SHARD_0007").id))
                    .isEqualTo(1007);
            assertThat(Unit.ids(factory).shard("photos").of(persist(factory, "OTHERS").id))
                    .isEqualTo(3);
        }
    }

    @Test
    void tenantsInOneTableHaveShardsToo() {
        try (SessionFactory factory = unit(Note.class).start();
                Session session = session(factory, "12")) {
            Note note = new Note();
            session.beginTransaction();
            session.persist(note);
            session.getTransaction().commit();

            assertThat(note.tenant).isEqualTo("12");
            assertThat(Unit.ids(factory).shard("notes").of(note.id)).isEqualTo(12);
        }
    }
}
