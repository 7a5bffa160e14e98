package io.distributedid.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same sequences for plain JDBC code, with neither Hibernate nor Jakarta Persistence on the class path. */
class WithoutHibernateTest {

    private static final int PHOTOS = 1_000;

    @Test
    void thereIsNoHibernateOnTheClassPath() {
        assertThatThrownBy(() -> Class.forName("org.hibernate.SessionFactory"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> Class.forName("jakarta.persistence.Entity"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void ticketsOfTwoDataSources() throws SQLException {
        insertsPhotos(Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                List.of(database("odd"), database("even")),
                "distributedid.ticket.numbering",
                "client",
                "distributedid.create_tables",
                true));
    }

    @Test
    void aSequenceTable() throws SQLException {
        insertsPhotos(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                database("sequences"),
                "distributedid.create_tables",
                true));
    }

    @Test
    void snowflakes() throws SQLException {
        insertsPhotos(Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", 7));
    }

    @Test
    void aSnowflakeTellsWhenAndWhere() {
        try (DistributedIds ids = DistributedIds.create(
                Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", 8))) {
            DecodedId id = ids.decode("photos", ids.next("photos"));

            assertThat(id.field("worker")).isEqualTo(8);
            assertThat(Duration.between(id.time().orElseThrow(), Instant.now()).abs())
                    .isLessThan(Duration.ofMinutes(1));
        }
    }

    @Test
    void aSnowflakeWithALeasedNumber() throws SQLException {
        insertsPhotos(Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.server",
                database("workers"),
                "distributedid.create_tables",
                true));
    }

    @Test
    void zooKeeperNeedsItsClient() {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.store",
                "zookeeper",
                "distributedid.snowflake.lease.zookeeper",
                "zk1:2181"))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A library is missing: distributedid.snowflake.lease.store=zookeeper needs"
                            + " ZooKeeper's client. Add org.apache.zookeeper:zookeeper to the class path");
        }
    }

    @Test
    void aServiceWithoutTheMapsOfSectionsNamesTheirLibrary() {
        Map<String, String> settings = Map.of(
                "distributedid.keyed.backend", "section",
                "distributedid.keyed.section.store", "jdbc:h2:mem:sections");
        try (DistributedIds ids =
                DistributedIds.builder().settings(settings).asService().build()) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A library is missing: distributedid.keyed.backend=section needs HPPC. Add"
                            + " com.carrotsearch:hppc to the class path");
        }
    }

    @Test
    void aSequenceTableWithoutServerIsRefusedSinceThereIsNoDatabaseOfOurOwn() {
        try (DistributedIds ids = DistributedIds.create(Map.of("distributedid.backend", "sequence_table"))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .hasMessageStartingWith(
                            "A setting is missing: distributedid.sequence_table.servers, allowed: JDBC URLs");
        }
    }

    @Test
    void aBatchOfAThousandRowsWaitsForOneReservation() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                        "distributedid.backend",
                        "sequence_table",
                        "distributedid.sequence_table.servers",
                        database("batches"),
                        "distributedid.create_tables",
                        true));
                Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE photo (id BIGINT PRIMARY KEY, title VARCHAR(100))");
            List<String> titles = Collections.nCopies(PHOTOS, "sunset");

            long[] inserted = new JdbcBatch(ids).insert(connection, titles);

            assertThat(inserted)
                    .containsExactly(LongStream.rangeClosed(1, PHOTOS).toArray());
            assertThat(ids.statistics("photos").orElseThrow().waits()).isEqualTo(1);
            try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM photo")) {
                row.next();
                assertThat(row.getInt(1)).isEqualTo(PHOTOS);
            }
        }
    }

    private static final String ANNOTATED = """
            import io.distributedid.DistributedId;

            public class Photo {
                @DistributedId(seq = "photos")
                public Long id;
            }
            """;

    @Test
    void theAnnotationNeedsNoHibernateAtRunTime(@TempDir Path folder) throws Exception {
        assertThat(warnings(folder, "-Xlint:all,-classfile", "-Werror")).isEmpty();

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            assertThat(loader.loadClass("Photo").getField("id").getAnnotations())
                    .singleElement()
                    .asString()
                    .startsWith("@io.distributedid.DistributedId(")
                    .contains("seq=\"photos\"");
        }
    }

    @Test
    void theCompilerWarnsOfTheMissingHibernateInOneCategory(@TempDir Path folder) throws Exception {
        assertThat(warnings(folder, "-Xlint:all"))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("Cannot find annotation method 'value()' in type ")
                .contains("IdGeneratorType'");
        assertThat(warnings(folder)).isEmpty();
    }

    private static List<String> warnings(Path folder, String... options) throws IOException {
        Path source = Files.writeString(folder.resolve("Photo.java"), ANNOTATED);
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
            List<String> all = new ArrayList<>(List.of(
                    "-proc:none",
                    "-d",
                    folder.toString(),
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
            all.addAll(List.of(options));
            compiler.getTask(null, files, found, all, null, files.getJavaFileObjects(source))
                    .call();
        }
        return found.getDiagnostics().stream()
                .map(each -> each.getMessage(Locale.ROOT))
                .toList();
    }

    private static void insertsPhotos(Map<String, Object> settings) throws SQLException {
        try (DistributedIds ids = DistributedIds.create(settings);
                Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE photo (id BIGINT PRIMARY KEY, title VARCHAR(100))");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO photo VALUES (?, 'sunset')")) {
                for (int i = 0; i < PHOTOS; i++) {
                    insert.setLong(1, ids.next("photos"));
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            try (ResultSet row = statement.executeQuery("SELECT COUNT(DISTINCT id) FROM photo")) {
                row.next();
                assertThat(row.getInt(1)).isEqualTo(PHOTOS);
            }
        }
    }

    private static JdbcDataSource database(String name) {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        return database;
    }
}
