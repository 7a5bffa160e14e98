package contender;

import io.distributedid.DistributedId;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Persistence;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.reactive.stage.Stage;

/** Hibernate Reactive on a real PostgreSQL, with batches. Each side has a table and connections of its own. */
final class ReactiveMapper implements Mapper, Table {

    /** Its id comes from the application. */
    @Entity
    @jakarta.persistence.Table(name = "assigned")
    public static class Photo {

        @Id
        Long id;

        String title = TITLE;
    }

    /** Its id comes from the generator. */
    @Entity
    @jakarta.persistence.Table(name = "ours")
    public static class GeneratedPhoto {

        @Id
        @DistributedId(seq = "photo")
        Long id;

        String title = TITLE;
    }

    private final Side side;

    private final DataSource database;

    private final Stage.SessionFactory sessions;

    private final AtomicLong assigned = new AtomicLong();

    /** Creates the table. */
    ReactiveMapper(EmbeddedPostgres server, Side side) {
        this.side = side;
        database = server.getPostgresDatabase();
        sessions = Persistence.createEntityManagerFactory(
                        side.name(),
                        Map.of(
                                "jakarta.persistence.jdbc.url",
                                "jdbc:postgresql://localhost:" + server.getPort() + "/postgres"))
                .unwrap(Stage.SessionFactory.class);
    }

    @Override
    public void insert(int rows) {
        Object[] photos = Stream.generate(this::photo).limit(rows).toArray();
        sessions.withTransaction(session -> session.persist(photos))
                .toCompletableFuture()
                .join();
    }

    private Object photo() {
        if (side == Side.OURS) {
            return new GeneratedPhoto();
        }
        Photo photo = new Photo();
        photo.id = assigned.incrementAndGet();
        return photo;
    }

    @Override
    public long rows() throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT COUNT(*) FROM " + side.name())) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void empty() throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("TRUNCATE TABLE " + side.name());
        }
    }
}
