package io.distributedid.mybatisplus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.MybatisSqlSessionFactoryBuilder;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.SentStatements;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MyBatis-Plus asks for ids, and each entity gets those of its sequence. */
class DistributedIdentifierGeneratorTest {

    private final SentStatements database = SentStatements.to("jdbc:h2:mem:mybatisplus;DB_CLOSE_DELAY=-1");

    private final DistributedIds ids = DistributedIds.create(Map.of(
            "distributedid.backend",
            "sequence_table",
            "distributedid.sequence_table.servers",
            "jdbc:h2:mem:" + UUID.randomUUID(),
            "distributedid.create_tables",
            true,
            "distributedid.block.max_age",
            "off"));

    private final DistributedIdentifierGenerator generator = new DistributedIdentifierGenerator(ids);

    @TableName("photo")
    static class Photo {
        @TableId(type = IdType.ASSIGN_ID)
        @DistributedId(seq = "photos")
        Long id;

        String title = "sunset";
    }

    @TableName("photo")
    static class Counted {
        @TableId
        @DistributedId(seq = "photos")
        long id;
    }

    @TableName("photo")
    static class Import {
        @TableId(type = IdType.ASSIGN_ID)
        @DistributedId(seq = "imports", assigned = true, padded = true)
        String id;
    }

    @TableName("photo")
    static class Unnamed {
        @TableId(type = IdType.ASSIGN_ID)
        Integer id;
    }

    @TableName("photo")
    static class ByDatabase {
        @TableId(type = IdType.AUTO)
        @DistributedId(seq = "photos")
        Long id;
    }

    @TableName("photo")
    static class OtherProperty {
        @TableId(type = IdType.ASSIGN_ID)
        Long id;

        @DistributedId(seq = "photos")
        Long number;
    }

    @TableName("photo")
    static class Uuid {
        @TableId(type = IdType.ASSIGN_UUID)
        @DistributedId(seq = "photos")
        String id;
    }

    interface Photos extends BaseMapper<Photo> {

        @Insert({
            "<script>INSERT INTO photo (id, title) VALUES",
            "<foreach collection='list' item='each' separator=','>(#{each.id}, #{each.title})</foreach></script>"
        })
        int insertAll(List<Photo> photos);

        @Select("SELECT id FROM photo ORDER BY id")
        List<String> stored();
    }

    interface CountedMapper extends BaseMapper<Counted> {}

    interface Imports extends BaseMapper<Import> {}

    interface UnnamedMapper extends BaseMapper<Unnamed> {}

    interface ByDatabaseMapper extends BaseMapper<ByDatabase> {}

    interface OtherPropertyMapper extends BaseMapper<OtherProperty> {}

    interface UuidMapper extends BaseMapper<Uuid> {}

    @BeforeEach
    void createTable() throws SQLException {
        execute("CREATE TABLE photo (id VARCHAR(30) PRIMARY KEY, title VARCHAR(100), number BIGINT)");
    }

    @AfterEach
    void close() throws SQLException {
        ids.close();
        execute("DROP ALL OBJECTS");
    }

    private void execute(String sql) throws SQLException {
        try (var connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private SqlSessionFactory factory(DistributedIdentifierGenerator with, Class<?>... mappers) {
        MybatisConfiguration configuration =
                new MybatisConfiguration(new Environment("test", new JdbcTransactionFactory(), database));
        GlobalConfigUtils.getGlobalConfig(configuration).setBanner(false).setIdentifierGenerator(with);
        for (Class<?> mapper : mappers) {
            configuration.addMapper(mapper);
        }
        return new MybatisSqlSessionFactoryBuilder().build(configuration);
    }

    @Test
    void anEntityGetsTheIdsOfItsSequence() {
        try (SqlSession session =
                factory(generator, Photos.class, CountedMapper.class).openSession(true)) {
            Photo photo = new Photo();
            Counted counted = new Counted();
            session.getMapper(Photos.class).insert(photo);
            session.getMapper(CountedMapper.class).insert(counted);

            assertThat(photo.id).isEqualTo(1);
            assertThat(counted.id).as("0 is no id").isEqualTo(2);
            assertThat(session.getMapper(Photos.class).stored()).containsExactly("1", "2");
        }
    }

    /** As {@code saveBatch} does. */
    @Test
    void aBatchOfAThousandRowsIsOneStatementAndNothingElse() {
        int before = database.sent().size();
        try (SqlSession batch = factory(generator, Photos.class).openSession(ExecutorType.BATCH)) {
            Photos photos = batch.getMapper(Photos.class);
            for (int i = 0; i < 1_000; i++) {
                photos.insert(new Photo());
            }
            batch.commit();
            assertThat(database.sent().subList(before, database.sent().size()))
                    .containsExactly("INSERT INTO photo  ( id, title )  VALUES (  ?, ?  )");
            assertThat(photos.stored()).hasSize(1_000);
        }
    }

    @Test
    void aListInOneStatementGetsItsIds() {
        try (SqlSession session = factory(generator, Photos.class).openSession(true)) {
            List<Photo> list = Stream.generate(Photo::new).limit(100).toList();
            session.getMapper(Photos.class).insertAll(list);

            assertThat(list)
                    .extracting(photo -> photo.id)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 100).boxed().toList());
        }
    }

    @Test
    void anIdThatIsSetIsRefusedUnlessItMayBeAssigned() {
        try (SqlSession session =
                factory(generator, Photos.class, Imports.class).openSession(true)) {
            Photo photo = new Photo();
            photo.id = 7L;
            Import given = new Import();
            given.id = "0007a";
            Import without = new Import();
            session.getMapper(Imports.class).insert(given);
            session.getMapper(Imports.class).insert(without);

            assertRefused(
                    () -> session.getMapper(Photos.class).insert(photo),
                    "An object must not have an id before it is given one: " + Photo.class.getName()
                            + ".id (seq=photos) has 7. Leave it null, or keep such ids with @DistributedId(assigned ="
                            + " true). If another object is inserted, pass the id of this one instead of the object");
            assertThat(given.id).isEqualTo("0007a");
            assertThat(without.id).isEqualTo("0000000000000000001");
            assertThat(session.getMapper(Photos.class).stored()).containsExactly("0000000000000000001", "0007a");
        }
    }

    /** MyBatis-Plus itself would ask for no id, and nobody could refuse the one that is set. */
    @Test
    void itIsAskedForEveryIdSinceOnlyTheEntityTellsWhetherOneMayBeSet() {
        assertThat(generator.assignId(7L)).isTrue();
        assertThat(generator.assignId(null)).isTrue();
    }

    @Test
    void anEntityWithoutASequenceIsRefused() {
        try (SqlSession session = factory(generator, UnnamedMapper.class).openSession(true)) {
            assertRefused(
                    () -> session.getMapper(UnnamedMapper.class).insert(new Unnamed()),
                    "An entity must name its sequence: entity=" + Unnamed.class.getName()
                            + ". Put @DistributedId(seq = \"photos\") on its @TableId property, or name a sequence for"
                            + " all entities without it: DistributedIdentifierGenerator.withDefaultSequence");
        }
        assertThatThrownBy(IdWorker::getId)
                .hasMessageStartingWith("An entity must name its sequence: entity=java.lang.Object.");
    }

    @Test
    void anEntityWithoutASequenceTakesTheDefaultOneIfItIsNamed() {
        DistributedIdentifierGenerator common = generator.withDefaultSequence("common");
        try (SqlSession session =
                factory(common, UnnamedMapper.class, Photos.class).openSession(true)) {
            Unnamed first = new Unnamed();
            Unnamed kept = new Unnamed();
            kept.id = 500;
            session.getMapper(UnnamedMapper.class).insert(first);
            session.getMapper(UnnamedMapper.class).insert(kept);
            Photo photo = new Photo();
            photo.id = null;

            assertThat(first.id).isEqualTo(1);
            assertThat(kept.id).as("as MyBatis-Plus does").isEqualTo(500);
            assertThat(IdWorker.getId()).isPositive();
            assertThat(ids.sequences()).containsExactly("common");
        }
    }

    @Test
    void entitiesAreCheckedAtStart() {
        assertThatThrownBy(() -> check(UnnamedMapper.class))
                .hasMessageStartingWith("An entity must name its sequence: ");
        assertThatThrownBy(() -> check(ByDatabaseMapper.class))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("MyBatis-Plus must ask for the id: " + ByDatabase.class.getName()
                        + ".id (seq=photos) needs @TableId(type = IdType.ASSIGN_ID)");
        assertThatThrownBy(() -> check(OtherPropertyMapper.class))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("@DistributedId must be on the key of the table: " + OtherProperty.class.getName()
                        + ".number (seq=photos), the key is id. Put it and @TableId on the same property");
        check(Photos.class, Imports.class);
        assertThat(ids.sequences()).containsExactly("imports", "photos");
    }

    private void check(Class<?>... mappers) {
        generator.check(factory(generator, mappers).getConfiguration());
    }

    @Test
    void aUuidInPlaceOfAnIdIsRefused() {
        try (SqlSession session = factory(generator, UuidMapper.class).openSession(true)) {
            assertRefused(
                    () -> session.getMapper(UuidMapper.class).insert(new Uuid()),
                    "MyBatis-Plus must ask for the id: " + Uuid.class.getName()
                            + ".id (seq=photos) needs @TableId(type = IdType.ASSIGN_ID)");
        }
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(PersistenceException.class)
                .rootCause()
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(message);
    }
}
