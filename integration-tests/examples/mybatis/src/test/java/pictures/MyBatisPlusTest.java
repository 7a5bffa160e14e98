package pictures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.session.SqlSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photos.RealServer;

/** Rows of MyBatis-Plus on a real MySQL server. */
@Needs(Need.MYSQL)
class MyBatisPlusTest {

    private static RealServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new RealServer("picture");
    }

    @BeforeEach
    void emptyTable() throws SQLException {
        server.execute("DELETE FROM picture");
    }

    @Test
    void aRowHasTheIdOfItsEntity() {
        try (PictureDatabase database = new PictureDatabase(server.url());
                SqlSession session = database.sessions().openSession(true)) {
            Picture picture = new Picture("sunset");
            PictureMapper mapper = session.getMapper(PictureMapper.class);
            mapper.insert(picture);

            assertThat(picture.id()).isPositive();
            assertThat(mapper.selectById(picture.id()).title()).isEqualTo("sunset");
            assertThatThrownBy(() -> mapper.insert(picture))
                    .isInstanceOf(PersistenceException.class)
                    .hasMessageContaining("pictures.Picture.id (seq=pictures) has " + picture.id());
        }
    }

    @Test
    void aRollbackLeavesNoRowAndItsIdsAreNotGivenAgain() throws SQLException {
        try (PictureDatabase database = new PictureDatabase(server.url())) {
            Picture rolledBack = new Picture("dusk");
            try (SqlSession session = database.sessions().openSession()) {
                session.getMapper(PictureMapper.class).insert(rolledBack);
                session.rollback();
            }
            Picture next = new Picture("dawn");
            database.upload(List.of(next));

            assertThat(next.id()).isGreaterThan(rolledBack.id());
            assertThat(server.rows()).isEqualTo(1);
        }
    }

    @Test
    void nothingIsLeftWhenTheApplicationStops() {
        try (PictureDatabase database = new PictureDatabase(server.url())) {
            database.upload(
                    Stream.generate(() -> new Picture("sunset")).limit(500).toList());
        }
        server.assertNothingIsLeft();
    }
}
