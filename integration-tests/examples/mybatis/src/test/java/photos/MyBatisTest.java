package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.session.SqlSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of MyBatis on a real MySQL server. */
@Needs(Need.MYSQL)
class MyBatisTest {

    private static final int BATCHES_EACH = 5;

    private static RealServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new RealServer("photo");
    }

    @BeforeEach
    void emptyTable() throws SQLException {
        server.execute("DELETE FROM photo");
    }

    @Test
    void aRowHasTheIdOfItsObject() {
        try (PhotoDatabase database = new PhotoDatabase(server.url());
                SqlSession session = database.sessions().openSession(true)) {
            Photo photo = new Photo("sunset");
            PhotoMapper mapper = session.getMapper(PhotoMapper.class);
            mapper.insert(photo);

            assertThat(photo.id()).isPositive();
            assertThat(mapper.find(photo.id()).title()).isEqualTo("sunset");
            assertThatThrownBy(() -> mapper.insert(photo))
                    .isInstanceOf(PersistenceException.class)
                    .hasMessageContaining("photos.Photo.id (seq=photos) has " + photo.id());
        }
    }

    @Test
    void aStatementForAThousandRowsReservesItsIdsAtOnce() throws SQLException {
        try (PhotoDatabase database = new PhotoDatabase(server.url());
                SqlSession session = database.sessions().openSession()) {
            List<Photo> photos =
                    Stream.generate(() -> new Photo("sunset")).limit(1_000).toList();
            session.getMapper(PhotoMapper.class).insertAll(photos);
            session.commit();

            long first = photos.get(0).id();
            assertThat(photos)
                    .extracting(Photo::id)
                    .containsExactlyElementsOf(
                            LongStream.range(first, first + 1_000).boxed().toList());
            assertThat(database.ids().statistics("photos").orElseThrow().waits())
                    .as("reservations that were waited for")
                    .isEqualTo(1);
            assertThat(server.rows()).isEqualTo(1_000);
        }
    }

    @Test
    void aRollbackLeavesNoRowAndItsIdsAreNotGivenAgain() throws SQLException {
        try (PhotoDatabase database = new PhotoDatabase(server.url())) {
            Photo rolledBack = new Photo("dusk");
            try (SqlSession session = database.sessions().openSession()) {
                session.getMapper(PhotoMapper.class).insert(rolledBack);
                session.rollback();
            }
            Photo next = new Photo("dawn");
            database.upload(List.of(next));

            assertThat(next.id()).isGreaterThan(rolledBack.id());
            assertThat(server.rows()).isEqualTo(1);
        }
    }

    @Test
    void twoProcessesInsertFiveThousandRowsAndNoIdTwice() throws Exception {
        server.insertFromTwoProcesses(Upload.class, BATCHES_EACH);

        assertThat(server.rows()).isEqualTo(2L * BATCHES_EACH * Upload.BATCH);
    }

    @Test
    void nothingIsLeftWhenTheApplicationStops() {
        try (PhotoDatabase database = new PhotoDatabase(server.url())) {
            database.upload(Upload.photos());
            System.out.println("MyBatisTest: reservations waited for by the first batch of " + Upload.BATCH + ": "
                    + database.ids().statistics("photos").orElseThrow().waits());
        }
        server.assertNothingIsLeft();
    }
}
