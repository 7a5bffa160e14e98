package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DecodedId;
import io.distributedid.DistributedId;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The schema export has the tables of all backends, also of foreign ones. */
class SchemaContributorTest {

    private static final String URL = "jdbc:h2:mem:foreign;DB_CLOSE_DELAY=-1";

    private static final String WIDTH = "distributedid.foreign.width";

    private static final Setting<Long> WIDTH_SETTING = Setting.number(WIDTH, "For tests.", 10, 1, 100);

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    /** A backend outside the library, with its own table and database sequence. */
    public static final class ForeignBackendProvider implements BackendProvider {

        @Override
        public String name() {
            return "foreign";
        }

        @Override
        public Collection<Setting<?>> settings() {
            return List.of(WIDTH_SETTING);
        }

        @Override
        public List<SchemaObject> schema(Settings settings, SchemaTarget target) {
            String type = target.isApplications() ? "VARCHAR" : "CHAR";
            long width = settings.get(WIDTH_SETTING);
            return List.of(
                    new SchemaObject.SqlObject("foreign_ids", "CREATE SEQUENCE IF NOT EXISTS foreign_ids"),
                    new SchemaObject.Table(
                            "foreign_names",
                            name -> "CREATE TABLE IF NOT EXISTS " + name + " (name " + type + "(" + width + "))"));
        }

        @Override
        public boolean hasToken(Settings settings) {
            return true;
        }

        @Override
        public Backend create(BackendContext context) {
            return new Backend() {
                @Override
                public IdSource open(Sequence sequence) {
                    return () -> 1;
                }

                @Override
                public DecodedId decode(Sequence sequence, long id) {
                    return new DecodedId(id, null, Map.of());
                }

                @Override
                public void close() {}
            };
        }
    }

    private static Configuration configuration() {
        return new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.backend", ForeignBackendProvider.class.getName());
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("foreign");
    }

    @Test
    void theTablesOfAForeignBackendAreExportedOnceAndThatOfTokens() throws SQLException {
        try (SessionFactory factory = configuration()
                .setProperty("distributedid.seq.photos.block.max", "10")
                .buildSessionFactory()) {
            assertThat(factory.isOpen()).isTrue();
            assertThat(named("SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'"))
                    .containsExactlyInAnyOrder("PHOTO", "FOREIGN_NAMES", "DISTRIBUTEDID");
            assertThat(named("SELECT sequence_name FROM information_schema.sequences"))
                    .containsExactly("FOREIGN_IDS");
        }
    }

    @Test
    void twoTablesOfOneNameAreRefused() {
        Configuration configuration = configuration().setProperty("distributedid.seq.photos.foreign.width", "20");

        assertThatThrownBy(() -> configuration.buildSessionFactory().close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("Two sequences must not need tables or functions with the same name and different"
                        + " definitions: name=foreign_names. Give one of them another name: CREATE TABLE IF NOT EXISTS"
                        + " foreign_names (name VARCHAR(20))");
    }

    @Test
    void onAServerTheyAreAskedForOnce() {
        assertThat(IdAdmin.ddl(Map.of("distributedid.backend", ForeignBackendProvider.class.getName()), "h2"))
                .containsExactly(
                        "CREATE SEQUENCE IF NOT EXISTS foreign_ids",
                        "CREATE TABLE IF NOT EXISTS foreign_names (name CHAR(10))");
    }

    private static List<String> named(String sql) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(URL);
                ResultSet row = connection.createStatement().executeQuery(sql)) {
            while (row.next()) {
                names.add(row.getString(1));
            }
        }
        return names;
    }
}
