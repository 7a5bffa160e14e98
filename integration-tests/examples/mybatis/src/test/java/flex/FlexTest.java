package flex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mybatisflex.annotation.Id;
import com.mybatisflex.annotation.KeyType;
import com.mybatisflex.annotation.Table;
import com.mybatisflex.core.BaseMapper;
import com.mybatisflex.core.MybatisFlexBootstrap;
import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.mybatis.DistributedIdInterceptor;
import io.distributedid.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** MyBatis-Flex injects statements whose parameter's class MyBatis does not know. */
class FlexTest {

    private static final String URL = "jdbc:h2:mem:flex;DB_CLOSE_DELAY=-1";

    @Table("photo")
    public static class Photo {

        @Id(keyType = KeyType.None)
        @DistributedId(seq = "photos")
        private Long id;

        private String title = "sunset";

        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }

        public String getTitle() {
            return title;
        }

        public void setTitle(String title) {
            this.title = title;
        }
    }

    public interface PhotoMapper extends BaseMapper<Photo> {}

    @Table("photo")
    public static class Counted {

        @Id(keyType = KeyType.Auto)
        @DistributedId(seq = "photos")
        private Long id;

        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }
    }

    public interface CountedMapper extends BaseMapper<Counted> {}

    @Test
    void rowsOfMyBatisFlexGetIds() {
        TestDatabase database = new TestDatabase(URL);
        database.execute("CREATE TABLE photo (id BIGINT PRIMARY KEY, title VARCHAR(100))");
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(URL);
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                URL,
                "distributedid.create_tables",
                true))) {
            MybatisFlexBootstrap flex = new MybatisFlexBootstrap()
                    .setDataSource(dataSource)
                    .addMapper(PhotoMapper.class)
                    .addMapper(CountedMapper.class)
                    .start();
            DistributedIdInterceptor interceptor = new DistributedIdInterceptor(ids);
            flex.getConfiguration().addInterceptor(interceptor);
            interceptor.check(flex.getConfiguration());
            PhotoMapper photos = flex.getMapper(PhotoMapper.class);
            Photo photo = new Photo();
            Photo withPk = new Photo();

            photos.insert(photo);
            photos.insertSelective(new Photo());
            photos.insertWithPk(withPk);
            photos.insertBatch(List.of(new Photo(), new Photo()));

            assertThat(photo.getId()).isEqualTo(1);
            assertThat(database.query("SELECT id FROM photo ORDER BY id")).containsExactly("1", "2", "3", "4", "5");
            assertThatThrownBy(() -> flex.getMapper(CountedMapper.class).insert(new Counted()))
                    .rootCause()
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("An id must have one generator: ");
        }
    }
}
