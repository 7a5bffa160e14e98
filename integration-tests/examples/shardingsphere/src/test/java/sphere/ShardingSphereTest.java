package sphere;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * ShardingSphere routes by the shard inside of keys that it does not make, and makes some where Hibernate is not asked.
 */
@Needs(Need.MYSQL)
class ShardingSphereTest {

    private static final SqlLog LOG = new SqlLog();

    private static MySqlServer server;

    private static SessionFactory factory;

    @BeforeAll
    static void start() throws Exception {
        server = MySqlServer.start(Files.createTempDirectory(Path.of("target"), "mysql"));
        for (int database = 0; database < 2; database++) {
            try (Connection connection = direct(database);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE USER IF NOT EXISTS photos");
                statement.execute("GRANT ALL ON photos" + database + ".* TO photos");
            }
            System.setProperty(
                    "photos.ds_" + database,
                    "jdbc:mysql://127.0.0.1:" + server.port() + "/photos" + database + "?sslMode=DISABLED");
        }
        // ShardingSphere needs seconds for its first connection, and a busy machine many.
        EntityManagerFactory unit =
                Persistence.createEntityManagerFactory("photos", Map.of("distributedid.block.timeout", "5m"));
        factory = unit.unwrap(SessionFactory.class);
        try (Connection connection = throughShardingSphere();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE imports (id BIGINT PRIMARY KEY, line VARCHAR(100))");
        }
    }

    @AfterAll
    static void close() {
        factory.close();
    }

    @BeforeEach
    void emptyTables() throws SQLException {
        for (int database = 0; database < 2; database++) {
            try (Connection connection = direct(database);
                    Statement statement = connection.createStatement()) {
                for (String table : new String[] {"comments", "photos", "imports"}) {
                    statement.execute("DELETE FROM " + table);
                }
            }
        }
        LOG.databases();
    }

    private static Connection throughShardingSphere() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:shardingsphere:classpath:shardingsphere.yaml?placeholder-type=system_props");
    }

    private static Connection direct(int database) throws SQLException {
        return server.connect("photos" + database);
    }

    private static List<Long> stored(int database, String sql) throws SQLException {
        try (Connection connection = direct(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<Long> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
            return ids;
        }
    }

    private static List<Photo> upload(long... users) {
        List<Photo> photos = LongStream.of(users).mapToObj(Photo::new).toList();
        factory.inTransaction(session -> photos.forEach(session::persist));
        LOG.databases();
        return photos;
    }

    private static List<Long> ids(List<Photo> photos) {
        return photos.stream().map(Photo::id).sorted().toList();
    }

    private static long shardOf(Class<?> entity, long id) {
        return DistributedIdService.of(factory).shardOf(entity, id);
    }

    @Test
    void aRowLiesWhereItsKeySays() throws SQLException {
        List<Photo> photos = upload(LongStream.range(0, 400).map(i -> i * 10).toArray());

        assertThat(photos)
                .allSatisfy(
                        photo -> assertThat(shardOf(Photo.class, photo.id())).isEqualTo(photo.userId() % 2000));
        assertThat(stored(0, "SELECT id FROM photos ORDER BY id"))
                .hasSize(200)
                .isEqualTo(ids(photos.stream()
                        .filter(photo -> photo.userId() % 2000 < 1000)
                        .toList()));
        assertThat(stored(1, "SELECT id FROM photos ORDER BY id"))
                .isEqualTo(ids(photos.stream()
                        .filter(photo -> photo.userId() % 2000 >= 1000)
                        .toList()));
    }

    private static List<Long> comment(List<Photo> photos) {
        List<Comment> comments = new ArrayList<>();
        factory.inTransaction(session -> photos.forEach(photo -> {
            Comment comment = new Comment(session.getReference(Photo.class, photo.id()), "How nice!");
            session.persist(comment);
            comments.add(comment);
        }));
        LOG.databases();
        return comments.stream().map(Comment::id).toList();
    }

    @Test
    void aChildLiesBesideItsParentWithTheForeignKey() throws SQLException {
        List<Long> comments = comment(upload(5, 1341, 999, 1000));

        assertThat(comments)
                .extracting(comment -> shardOf(Comment.class, comment))
                .containsExactly(5L, 1341L, 999L, 1000L);
        String join = "SELECT c.id FROM comments c JOIN photos p ON p.id = c.photo_id";
        assertThat(stored(0, join)).containsExactlyInAnyOrder(comments.get(0), comments.get(2));
        assertThat(stored(1, join)).containsExactlyInAnyOrder(comments.get(1), comments.get(3));
    }

    @Test
    void aKeyIsLookedForInOneDatabase() {
        List<Photo> photos = upload(5, 1341);
        factory.inTransaction(session -> {
            assertThat(session.find(Photo.class, photos.get(0).id()).userId()).isEqualTo(5);
            assertThat(LOG.databases()).containsExactly("ds_0");
            assertThat(session.find(Photo.class, photos.get(1).id()).userId()).isEqualTo(1341);
            assertThat(LOG.databases()).containsExactly("ds_1");
        });
    }

    private static List<Long> users(Session session, String where, Object... parameters) {
        var query = session.createSelectionQuery("select p.userId from Photo p where " + where, Long.class);
        for (int i = 0; i < parameters.length; i++) {
            query.setParameter(i + 1, parameters[i]);
        }
        return query.getResultList();
    }

    @Test
    void keysOfOneShardAreLookedForInOneDatabaseAndOthersInTheirs() {
        List<Long> ids = upload(5, 7, 1341).stream().map(Photo::id).toList();
        factory.inTransaction(session -> {
            assertThat(users(session, "p.id in (?1, ?2)", ids.get(0), ids.get(1)))
                    .containsExactlyInAnyOrder(5L, 7L);
            assertThat(LOG.databases()).containsExactly("ds_0");
            assertThat(users(session, "p.userId = ?1", 7L)).containsExactly(7L);
            assertThat(LOG.databases()).as("the column is no key").containsExactlyInAnyOrder("ds_0", "ds_1");
            assertThat(users(session, "p.id in (?1, ?2)", ids.get(0), ids.get(2)))
                    .containsExactlyInAnyOrder(5L, 1341L);
            assertThat(LOG.databases()).containsExactlyInAnyOrder("ds_0", "ds_1");
        });
    }

    @Test
    void aSpanOfTimeIsAskedOfAll() {
        Instant start = Instant.now();
        List<Photo> photos = upload(5, 1341, 7, 1999);
        comment(photos);
        DistributedIdService service = DistributedIdService.of(factory);
        factory.inTransaction(session -> {
            assertThat(users(session, "p.id >= ?1", service.floor(Photo.class, start)))
                    .containsExactlyInAnyOrder(5L, 1341L, 7L, 1999L);
            assertThat(LOG.databases()).containsExactlyInAnyOrder("ds_0", "ds_1");
            assertThat(session.createSelectionQuery("select c.id from Comment c where c.id >= ?1", Long.class)
                            .setParameter(1, service.floor(Comment.class, start))
                            .getResultList())
                    .hasSize(4);
            assertThat(LOG.databases()).containsExactlyInAnyOrder("ds_0", "ds_1");
        });
    }

    private static List<Long> insert(Connection connection, String sql) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
            insert.executeUpdate();
            try (ResultSet keys = insert.getGeneratedKeys()) {
                List<Long> ids = new ArrayList<>();
                while (keys.next()) {
                    ids.add(keys.getLong(1));
                }
                return ids;
            }
        }
    }

    @Test
    void rowsInsertedBySqlGetKeysOfTheSameScheme() throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Connection connection = throughShardingSphere()) {
            for (int row = 0; row < 200; row++) {
                ids.addAll(insert(connection, "INSERT INTO imports (line) VALUES ('a')"));
            }
        }
        List<Long> first = stored(0, "SELECT id FROM imports");
        List<Long> second = stored(1, "SELECT id FROM imports");

        assertThat(ids).hasSize(200).doesNotHaveDuplicates();
        assertThat(Stream.concat(first.stream(), second.stream())).containsExactlyInAnyOrderElementsOf(ids);
        // The same layout as that of photos.
        assertThat(first)
                .isNotEmpty()
                .allSatisfy(id -> assertThat(shardOf(Photo.class, id)).isBetween(0L, 999L));
        assertThat(second)
                .isNotEmpty()
                .allSatisfy(id -> assertThat(shardOf(Photo.class, id)).isBetween(1000L, 1999L));
    }

    @Test
    void rowsOfOneStatementLieInOneDatabase() throws SQLException {
        try (Connection connection = throughShardingSphere()) {
            List<Long> ids = insert(connection, "INSERT INTO imports (line) VALUES ('a'), ('b'), ('c')");

            assertThat(ids).hasSize(3).doesNotHaveDuplicates();
            assertThat(LOG.databases()).hasSize(1);
            assertThat(ids.stream().map(id -> shardOf(Photo.class, id)).distinct())
                    .hasSize(1);
        }
    }
}
