package io.distributedid.mybatis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.SentStatements;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.SelectKey;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.builder.xml.XMLMapperBuilder;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.executor.SimpleExecutor;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.reflection.SystemMetaObject;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransaction;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MyBatis inserts objects with ids, whatever the shape of the parameter; nothing is sent for the ids. */
class DistributedIdInterceptorTest {

    private static final String PHOTO = Photo.class.getName() + ".id (seq=photos)";

    private final SentStatements database = SentStatements.to("jdbc:h2:mem:mybatis;DB_CLOSE_DELAY=-1");

    private final DistributedIds ids = DistributedIds.create(Map.of(
            "distributedid.backend",
            "sequence_table",
            "distributedid.sequence_table.servers",
            "jdbc:h2:mem:" + UUID.randomUUID(),
            "distributedid.create_tables",
            true,
            "distributedid.block.max_age",
            "off"));

    private final Configuration configuration = new Configuration();

    private final DistributedIdInterceptor interceptor = new DistributedIdInterceptor(ids);

    private SqlSession session;

    static class Photo {
        @DistributedId(seq = "photos")
        Long id;

        String title = "sunset";

        static Photo with(Long id) {
            Photo photo = new Photo();
            photo.id = id;
            return photo;
        }
    }

    /** Nothing of its own: the id is that of the superclass. */
    static class Panorama extends Photo {}

    static class Comment {
        @DistributedId(seq = "comments")
        Long id;

        Photo photo;
    }

    static class Import {
        @DistributedId(seq = "imports", assigned = true)
        Long id;
    }

    record Frozen(
            @DistributedId(seq = "frozen", assigned = true) Long id, String title) {}

    static class Getter {
        private int number;

        @DistributedId(seq = "getters")
        public int getNumber() {
            return number;
        }

        public void setNumber(int number) {
            this.number = number * 10;
        }
    }

    static class Text {
        @DistributedId(seq = "texts", padded = true)
        String id = "";
    }

    static class Big {
        @DistributedId(seq = "bigs")
        BigInteger id;
    }

    static class Plain {
        Long id;
    }

    static class TwoIds {
        @DistributedId(seq = "photos")
        Long id;

        @DistributedId(seq = "photos")
        Long other;
    }

    static class WrongType {
        @DistributedId(seq = "photos")
        java.time.Instant id;
    }

    static class NoSequence {
        @DistributedId
        Long id;
    }

    static class PaddedNumber {
        @DistributedId(seq = "photos", padded = true)
        Long id;
    }

    static class UnknownBackend {
        @DistributedId(seq = "elsewhere")
        Long id;
    }

    interface Mapper {

        @Insert("INSERT INTO photo (id, title) VALUES (#{id}, #{title})")
        int insert(Photo photo);

        @Insert({
            "<script>INSERT INTO photo (id, title) VALUES",
            "<foreach collection='list' item='each' separator=','>(#{each.id}, #{each.title})</foreach></script>"
        })
        int insertAll(List<Photo> photos);

        @Insert({
            "<script>INSERT INTO photo (id, title) VALUES",
            "<foreach collection='array' item='each' separator=','>(#{each.id}, #{each.title})</foreach></script>"
        })
        int insertArray(Photo... photos);

        @Insert("INSERT INTO photo (id, title) VALUES (#{photo.id}, #{title})")
        int insertTitled(@Param("photo") Photo photo, @Param("title") String title);

        @Insert("INSERT INTO photo (id, title) VALUES (#{photo.id}, 'from a map')")
        int insertMap(Map<String, ?> map);

        @Insert({
            "<script>INSERT INTO photo (<if test='id != null'>id,</if> title)",
            "VALUES (<if test='id != null'>#{id},</if> #{title})</script>"
        })
        int insertDynamic(Photo photo);

        @Insert("INSERT INTO photo (id, title) VALUES (#{comment.id}, #{photo.title})")
        @Options(keyProperty = "comment.id")
        int insertComment(@Param("comment") Comment comment, @Param("photo") Photo photo);

        @Insert("INSERT INTO photo (id, title) VALUES (#{comment.id}, #{photo.title})")
        int insertEither(@Param("comment") Comment comment, @Param("photo") Photo photo);

        @Insert("INSERT INTO photo (id, title) VALUES (#{comment}, #{photo.id})")
        @Options(keyProperty = "comment")
        int insertOther(@Param("comment") Long comment, @Param("photo") Photo photo);

        @Insert("INSERT INTO photo (id) VALUES (#{id})")
        int insertImport(Import imported);

        @Insert("INSERT INTO photo (id, title) VALUES (#{id}, #{title})")
        int insertFrozen(Frozen frozen);

        @Insert("INSERT INTO photo (id) VALUES (#{number})")
        int insertGetter(Getter getter);

        @Insert("INSERT INTO photo (id) VALUES (#{id})")
        int insertAny(Object any);

        @Insert("INSERT INTO counted (title) VALUES ('sunset')")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        int insertCounted(Plain plain);

        @Insert("INSERT INTO counted (title) VALUES (#{title})")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        int insertCountedPhoto(Photo photo);

        @Insert("INSERT INTO photo (id, title) VALUES (#{id}, #{title})")
        @SelectKey(statement = "SELECT 17", keyProperty = "id", before = true, resultType = Long.class)
        int insertSelected(Photo photo);

        @Update("UPDATE photo SET title = 'dusk' WHERE id = #{id}")
        int update(Photo photo);

        @Select("SELECT id FROM photo ORDER BY id")
        List<Long> stored();
    }

    interface WithoutParameter {
        @Insert("INSERT INTO photo (id) VALUES (17)")
        int insert();

        @Insert("INSERT INTO photo (id, title) VALUES (#{id}, #{title})")
        int insertPhoto(Photo photo);
    }

    interface OfTwoIds {
        @Insert("INSERT INTO photo (id) VALUES (#{id})")
        int insert(TwoIds twoIds);
    }

    @BeforeEach
    void open() throws SQLException {
        execute("CREATE TABLE photo (id BIGINT PRIMARY KEY, title VARCHAR(100))");
        execute("CREATE TABLE counted (id BIGINT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(100))");
        configuration.setEnvironment(new Environment("test", new JdbcTransactionFactory(), database));
        configuration.addInterceptor(interceptor);
        configuration.addMapper(Mapper.class);
        session = factory().openSession(true);
    }

    private SqlSessionFactory factory() {
        return new SqlSessionFactoryBuilder().build(configuration);
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
        ids.close();
        execute("DROP ALL OBJECTS");
    }

    private void execute(String sql) throws SQLException {
        try (var connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Mapper mapper() {
        return session.getMapper(Mapper.class);
    }

    @Test
    void anObjectHasItsIdBeforeTheSqlIsMade() {
        Photo photo = new Photo();
        Photo dynamic = new Photo();

        assertThat(mapper().insert(photo)).isEqualTo(1);
        mapper().insertDynamic(dynamic);

        assertThat(photo.id).isEqualTo(1);
        assertThat(mapper().stored()).containsExactly(1L, 2L);
        assertThat(dynamic.id).isEqualTo(2);
    }

    @Test
    void anIdOfASuperclassOrOfAnyTypeIsSetByTheSetterIfThereIsOne() throws SQLException {
        Panorama panorama = new Panorama();
        Getter getter = new Getter();
        Text text = new Text();
        Big big = new Big();

        mapper().insert(panorama);
        mapper().insertGetter(getter);
        execute("DELETE FROM photo");
        mapper().insertAny(text);
        execute("DELETE FROM photo");
        mapper().insertAny(big);

        assertThat(panorama.id).isEqualTo(1);
        assertThat(getter.getNumber()).isEqualTo(10);
        assertThat(text.id).isEqualTo("0000000000000000001");
        assertThat(big.id).isEqualTo(1);
    }

    @Test
    void listsArraysAndNamedParametersGetAllIdsAtOnce() {
        List<Photo> list = Stream.generate(Photo::new).limit(1_000).toList();
        Photo[] array = {new Photo(), new Photo()};
        Photo named = new Photo();
        Photo inMap = new Photo();

        mapper().insertAll(list);
        mapper().insertArray(array);
        mapper().insertTitled(named, "named");
        mapper().insertMap(Map.of("photo", inMap));
        session.insert(Mapper.class.getName() + ".insertAll", List.of(new Photo()));

        assertThat(list).extracting(photo -> photo.id).containsExactlyElementsOf(consecutive(1, 1_000));
        assertThat(Arrays.asList(array)).extracting(photo -> photo.id).containsExactly(1_001L, 1_002L);
        assertThat(named.id).isEqualTo(1_003);
        assertThat(inMap.id).isEqualTo(1_004);
        assertThat(mapper().stored()).containsExactlyElementsOf(consecutive(1, 1_005));
    }

    private static List<Long> consecutive(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(Long::valueOf).toList();
    }

    @Test
    void aBatchOfAThousandRowsIsOneStatementAndNothingElse() {
        int before = database.sent().size();
        try (SqlSession batch = factory().openSession(ExecutorType.BATCH)) {
            Mapper mapper = batch.getMapper(Mapper.class);
            for (int i = 0; i < 1_000; i++) {
                mapper.insert(new Photo());
            }
            batch.commit();
        }

        List<String> sent = database.sent();
        assertThat(sent.subList(before, sent.size())).containsExactly("INSERT INTO photo (id, title) VALUES (?, ?)");
        assertThat(mapper().stored()).containsExactlyElementsOf(consecutive(1, 1_000));
    }

    @Test
    void ofTwoParametersTheOneInKeyPropertyIsInserted() {
        Photo photo = Photo.with(5L);
        Comment comment = new Comment();

        mapper().insertComment(comment, photo);
        mapper().insertOther(70L, photo);

        assertThat(comment.id).isEqualTo(1);
        assertThat(photo.id).isEqualTo(5);
        assertRefused(
                () -> mapper().insertEither(new Comment(), photo),
                "Several parameters have a @DistributedId: statement=" + Mapper.class.getName()
                        + ".insertEither parameters=[comment, param1, param2, photo]. Name the one that is inserted,"
                        + " as in @Options(keyProperty = \"photo.id\")");
    }

    @Test
    void anIdThatIsSetIsRefusedBeforeAnythingIsTakenOrSent() {
        Photo second = new Photo();
        int before = database.sent().size();

        assertRefused(
                () -> mapper().insertAll(List.of(second, Photo.with(7L))),
                "An object must not have an id before it is given one: " + PHOTO + " has 7. Leave it null, or keep such"
                        + " ids with @DistributedId(assigned = true). If another object is inserted, pass the id of"
                        + " this one instead of the object");
        assertThat(second.id).isNull();
        assertThat(database.sent()).hasSize(before);
        mapper().insert(Photo.with(0L));
        assertThat(mapper().stored()).containsExactly(1L);
    }

    @Test
    void anAssignedIdIsKeptAndAMissingOneIsGiven() {
        Import given = new Import();
        given.id = 500L;
        Import without = new Import();

        mapper().insertImport(given);
        mapper().insertImport(without);

        assertThat(mapper().stored()).containsExactly(1L, 500L);
    }

    @Test
    void aRecordGetsItsIdFromTheApplication() {
        mapper().insertFrozen(new Frozen(ids.next("frozen"), "sunset"));

        assertThat(mapper().stored()).containsExactly(1L);
        assertRefused(
                () -> mapper().insertFrozen(new Frozen(null, "sunset")),
                "A final property can't be given an id: " + Frozen.class.getName() + ".id (seq=frozen). Take the id"
                        + " before the object is made, with DistributedIds.next(\"frozen\"), and allow it with"
                        + " @DistributedId(assigned = true)");
    }

    @Test
    void otherStatementsAreLeftAlone() {
        Plain plain = new Plain();
        Photo photo = Photo.with(9L);

        mapper().insertCounted(plain);
        mapper().update(photo);

        assertThat(plain.id).as("useGeneratedKeys").isEqualTo(1);
        assertThat(photo.id).isEqualTo(9);
    }

    @Test
    void anIdWithAnotherGeneratorIsRefused() {
        assertRefused(
                () -> mapper().insertCountedPhoto(new Photo()),
                "An id must have one generator: " + PHOTO + " is also set by useGeneratedKeys. Set"
                        + " useGeneratedKeys=\"false\" for this statement: statement=" + Mapper.class.getName()
                        + ".insertCountedPhoto");
        assertRefused(
                () -> mapper().insertSelected(new Photo()),
                "An id must have one generator: " + PHOTO + " is also set by a <selectKey>. Remove it: statement="
                        + Mapper.class.getName() + ".insertSelected");
        assertThatThrownBy(() -> interceptor.check(configuration))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("An id must have one generator: ");
    }

    @Test
    void globalGeneratedKeysAreNoOtherGeneratorUnlessTheyNameTheId() {
        Configuration global = new Configuration(configuration.getEnvironment());
        global.setUseGeneratedKeys(true);
        global.addInterceptor(interceptor);
        global.addMapper(Mapper.class);
        try (SqlSession other = new SqlSessionFactoryBuilder().build(global).openSession(true)) {
            other.getMapper(Mapper.class).insert(new Photo());
        }

        assertThat(mapper().stored()).containsExactly(1L);
    }

    @Test
    void wrongAnnotationsAreRefused() {
        String test = DistributedIdInterceptorTest.class.getName();

        assertRefused(
                () -> mapper().insertAny(new TwoIds()),
                "A class must have one @DistributedId: " + test + "$TwoIds has it on [id, other]. Remove it from all"
                        + " but the id");
        assertRefused(
                () -> mapper().insertAny(new WrongType()),
                "A property of this type can't be a @DistributedId: " + test
                        + "$WrongType.id type=java.time.Instant, allowed: long, Long, int, Integer, BigInteger,"
                        + " BigDecimal, String");
        assertRefused(
                () -> mapper().insertAny(new NoSequence()),
                "A sequence must be named: " + test + "$NoSequence.id. Write @DistributedId(seq = \"photos\"). The"
                        + " default, the name of the table, is for Hibernate only");
        assertRefused(
                () -> mapper().insertAny(new PaddedNumber()),
                "Only a text can be padded: " + test + "$PaddedNumber.id holds numbers, allowed: padded = true on a"
                        + " String");
    }

    @Test
    void theCheckAtStartRefusesWhatMyBatisKnows() {
        Configuration wrong = new Configuration();
        wrong.addMapper(OfTwoIds.class);

        assertThatThrownBy(() -> interceptor.check(wrong))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A class must have one @DistributedId: ");
    }

    @Test
    void theCheckAtStartLeavesAStatementWithoutAKnownParameterToItsFirstUse() {
        Configuration other = new Configuration(configuration.getEnvironment());
        other.addMapper(WithoutParameter.class);
        String xml = "<!DOCTYPE mapper PUBLIC '-//mybatis.org//DTD Mapper 3.0//EN'"
                + " 'http://mybatis.org/dtd/mybatis-3-mapper.dtd'><mapper namespace='xml'>"
                + "<insert id='insert'>INSERT INTO photo (id) VALUES (#{id})</insert></mapper>";
        new XMLMapperBuilder(
                        new ByteArrayInputStream(xml.getBytes(UTF_8)), other, "photos.xml", other.getSqlFragments())
                .parse();
        other.addInterceptor(interceptor);

        interceptor.check(other);

        assertThat(ids.sequences()).as("of the others").containsExactly("photos");
        try (SqlSession session = new SqlSessionFactoryBuilder().build(other).openSession(true)) {
            session.insert("xml.insert", new Photo());
            session.getMapper(WithoutParameter.class).insert();
            assertRefused(
                    () -> session.insert("xml.insert", new TwoIds()),
                    "A class must have one @DistributedId: " + TwoIds.class.getName()
                            + " has it on [id, other]. Remove it from all but the id");
        }
        assertThat(mapper().stored()).containsExactly(1L, 17L);
    }

    @Test
    void aSequenceThatIsConfiguredWronglyIsRefusedWithThePropertyThatUsesIt() {
        try (DistributedIds wrong = DistributedIds.create(
                Map.of("distributedid.backend", "memory", "distributedid.seq.elsewhere.backend", "sequence_table"))) {
            Configuration other = new Configuration(configuration.getEnvironment());
            other.addInterceptor(new DistributedIdInterceptor(wrong));
            other.addMapper(Mapper.class);
            try (SqlSession session =
                    new SqlSessionFactoryBuilder().build(other).openSession()) {
                assertThatThrownBy(() -> session.getMapper(Mapper.class).insertAny(new UnknownBackend()))
                        .rootCause()
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageStartingWith("A setting is missing: ");
                assertThatThrownBy(() -> session.getMapper(Mapper.class).insertAny(new UnknownBackend()))
                        .cause()
                        .hasMessageStartingWith(
                                UnknownBackend.class.getName() + ".id (seq=elsewhere): A setting is missing: ");
            }
        }
    }

    @Test
    void aRolledBackIdIsNotGivenAgain() {
        Photo first = new Photo();
        try (SqlSession transaction = factory().openSession()) {
            transaction.getMapper(Mapper.class).insert(first);
            transaction.rollback();
        }
        Photo second = new Photo();
        mapper().insert(second);

        assertThat(first.id).isEqualTo(1);
        assertThat(second.id).isEqualTo(2);
        assertThat(mapper().stored()).containsExactly(2L);
    }

    /** Notes the ids that objects have when MyBatis calls it. */
    @Intercepts(
            @Signature(
                    type = Executor.class,
                    method = "update",
                    args = {MappedStatement.class, Object.class}))
    static final class Noting implements Interceptor {

        private final List<Long> seen = new ArrayList<>();

        @Override
        public Object intercept(Invocation invocation) throws Throwable {
            seen.add(((Photo) invocation.getArgs()[1]).id);
            return invocation.proceed();
        }
    }

    @Test
    void otherPlugInsRunBeforeAndAfterThisOne() {
        Noting after = new Noting();
        Noting before = new Noting();
        Configuration several = new Configuration(configuration.getEnvironment());
        several.addInterceptor(after);
        several.addInterceptor(interceptor);
        several.addInterceptor(before);
        several.addMapper(Mapper.class);
        try (SqlSession other = new SqlSessionFactoryBuilder().build(several).openSession(true)) {
            other.getMapper(Mapper.class).insert(new Photo());
        }

        assertThat(before.seen).containsExactly((Long) null);
        assertThat(after.seen).containsExactly(1L);
        assertThat(mapper().stored()).containsExactly(1L);
    }

    @Test
    void onlyExecutorsAreWrapped() {
        Executor executor = new SimpleExecutor(configuration, new JdbcTransaction(database, null, true));
        Object wrapped = interceptor.plugin(executor);

        assertThat(wrapped).isInstanceOf(Executor.class).isNotSameAs(executor);
        assertThat(SystemMetaObject.forObject(Proxy.getInvocationHandler(wrapped))
                        .getValue("target"))
                .isSameAs(executor);
        assertThat(interceptor.plugin("a handler")).isEqualTo("a handler");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(PersistenceException.class)
                .cause()
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(message);
    }
}
