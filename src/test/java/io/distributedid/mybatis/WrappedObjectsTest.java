package io.distributedid.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.InsertProvider;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.SelectKey;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An object that a statement reads through another one gets its id, or is refused; never is a row stored without. */
class WrappedObjectsTest {

    private static final String URL = "jdbc:h2:mem:wrapped;DB_CLOSE_DELAY=-1";

    private final TestDatabase database = new TestDatabase(URL);

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

    private SqlSession session;

    static class Photo {
        @DistributedId(seq = "photos")
        Long id;

        String title = "sunset";
    }

    static class Comment {
        @DistributedId(seq = "comments")
        Long id;

        Photo photo;
    }

    static class Import {
        @DistributedId(seq = "photos", assigned = true)
        Long id;

        String title = "import";
    }

    /** As in MyBatis Dynamic SQL. */
    public record Statement<T>(T row, String sql) {}

    /** As in MyBatis Dynamic SQL. */
    public record Statements<T>(List<T> records) {

        public String sql() {
            return "INSERT INTO photo (id, title) VALUES "
                    + IntStream.range(0, records.size())
                            .mapToObj(i -> "(#{records[%d].id}, #{records[%d].title})".formatted(i, i))
                            .collect(Collectors.joining(","));
        }
    }

    static class Form {
        Photo photo;
        Comment comment;
        Long id;

        static Form of(Photo photo, Comment comment) {
            Form form = new Form();
            form.photo = photo;
            form.comment = comment;
            return form;
        }
    }

    static class Listened {
        static int made;

        String title = "plain";
    }

    static class Sharded {
        Long id;

        List<String> tags = List.of();
    }

    public static final class Sql {
        private Sql() {}

        public static String shardedForm(Form form) {
            return "INSERT INTO photo%s (id) VALUES (#{photo.id})".formatted(form.photo.id == 17 ? "" : "2");
        }

        public static String sharded(Sharded sharded) {
            return "INSERT INTO photo%s (id) VALUES (#{id})".formatted(sharded.id == 17 ? "" : sharded.id % 2);
        }

        public static String statement(Statement<?> statement) {
            return statement.sql();
        }

        public static String statements(Statements<?> statements) {
            return statements.sql();
        }

        public static String counted() {
            Listened.made++;
            return "INSERT INTO photo (title) VALUES (#{title})";
        }
    }

    interface Mapper {

        @InsertProvider(type = Sql.class, method = "statement")
        int insert(Statement<?> statement);

        @InsertProvider(type = Sql.class, method = "statements")
        int insertAll(Statements<?> statements);

        @Insert({
            "<script>INSERT INTO photo (id, title) VALUES",
            "<foreach collection='records' item='each' separator=','>(#{each.id}, #{each.title})</foreach></script>"
        })
        int insertEach(Statements<?> statements);

        @Insert("INSERT INTO photo (id, title) VALUES (#{form.photo.id}, #{title})")
        int insertNamed(@Param("form") Form form, @Param("title") String title);

        @Insert("INSERT INTO photo (id, title) VALUES (#{form.photo.id}, 'from a map')")
        int insertMap(Map<String, ?> map);

        @Insert({
            "<script>INSERT INTO photo (id) VALUES",
            "<foreach collection='forms' item='each' separator=','>(#{each.photo.id})</foreach></script>"
        })
        int insertForms(@Param("forms") Object forms);

        @Insert({
            "<script>INSERT INTO photo (id) VALUES",
            "<foreach collection='photos' item='each' separator=','>(#{each.id})</foreach></script>"
        })
        int insertIterable(@Param("photos") Iterable<Photo> photos);

        @Insert("INSERT INTO photo (id, title) VALUES (#{comment.id}, #{comment.photo.id})")
        int insertComment(Form form);

        @Insert("INSERT INTO photo (id, title) VALUES (#{comment.id}, #{photo.title})")
        int insertWithTitle(Form form);

        @Insert("INSERT INTO photo (id, title) VALUES (#{comment.id}, #{photo.id})")
        int insertEither(Form form);

        @Insert("INSERT INTO photo (id, title) VALUES (#{comment.id}, #{photo.id})")
        @Options(keyProperty = "comment.id")
        int insertTheComment(Form form);

        @Insert("INSERT INTO photo (title) VALUES (#{photo.title})")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        int insertForm(Form form);

        @Insert("INSERT INTO photo (id, title) VALUES (#{photo.id}, #{photo.title})")
        @Options(useGeneratedKeys = true, keyProperty = "photo.id")
        int insertGenerated(Form form);

        @Insert("INSERT INTO photo (title) VALUES (#{photo.title})")
        int insertWithoutId(Form form);

        @InsertProvider(type = Sql.class, method = "shardedForm")
        @SelectKey(statement = "SELECT 17", keyProperty = "photo.id", before = true, resultType = Long.class)
        int insertShardedForm(Form form);

        @InsertProvider(type = Sql.class, method = "sharded")
        @SelectKey(statement = "SELECT 17", keyProperty = "id", before = true, resultType = Long.class)
        int insertSharded(Sharded sharded);

        @InsertProvider(type = Sql.class, method = "counted")
        int insertPlain(Listened plain);
    }

    @BeforeEach
    void open() {
        database.execute("CREATE TABLE photo (id BIGINT GENERATED BY DEFAULT AS IDENTITY (START WITH 1000)"
                + " PRIMARY KEY, title VARCHAR(100))");
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(URL);
        configuration.setEnvironment(new Environment("test", new JdbcTransactionFactory(), dataSource));
        DistributedIdInterceptor interceptor = new DistributedIdInterceptor(ids);
        configuration.addInterceptor(interceptor);
        configuration.addMapper(Mapper.class);
        session = new SqlSessionFactoryBuilder().build(configuration).openSession(true);
    }

    @AfterEach
    void close() {
        session.close();
        ids.close();
        database.execute("DROP ALL OBJECTS");
    }

    private Mapper mapper() {
        return session.getMapper(Mapper.class);
    }

    private List<String> stored() {
        return database.query("SELECT id FROM photo ORDER BY id");
    }

    private static <T> Statement<T> statement(T row) {
        return new Statement<>(row, "INSERT INTO photo (id, title) VALUES (#{row.id,jdbcType=BIGINT}, #{row.title})");
    }

    @Test
    void theRowOfAStatementGetsItsId() {
        Photo photo = new Photo();

        mapper().insert(statement(photo));

        assertThat(photo.id).isEqualTo(1);
        assertThat(stored()).containsExactly("1");
    }

    @Test
    void allRowsOfAStatementGetTheirIdsInOrder() {
        List<Photo> indexed = Stream.generate(Photo::new).limit(20).toList();
        List<Photo> each = Stream.generate(Photo::new).limit(20).toList();

        mapper().insertAll(new Statements<>(indexed));
        mapper().insertEach(new Statements<>(each));

        assertThat(Stream.concat(indexed.stream(), each.stream()).map(photo -> photo.id))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 40).mapToObj(Long::valueOf).toList());
        assertThat(stored()).hasSize(40).last().isEqualTo("40");
    }

    @Test
    void objectsInMapsArraysAndOtherIterablesGetTheirIds() {
        Photo photo = new Photo();
        Form[] forms = {Form.of(new Photo(), null), Form.of(new Photo(), null)};
        List<Photo> photos = List.of(new Photo(), new Photo());

        mapper().insertMap(Map.of("form", Map.of("photo", photo)));
        mapper().insertForms(forms);
        mapper().insertForms(List.of(Map.of("photo", new Photo())));
        mapper().insertIterable(photos::iterator);

        assertThat(photo.id).isEqualTo(1);
        assertThat(forms[1].photo.id).isEqualTo(3);
        assertThat(photos).extracting(each -> each.id).containsExactly(5L, 6L);
        assertThat(stored()).containsExactly("1", "2", "3", "4", "5", "6");
    }

    /** Before that, its SQL can't be made. */
    @Test
    void aStatementIsLeftAloneUntilItsSelectKeyHasGivenItsId() {
        mapper().insertSharded(new Sharded());

        assertThat(stored()).containsExactly("17");
        assertThatThrownBy(() -> mapper().insertShardedForm(Form.of(new Photo(), null)))
                .rootCause()
                .hasMessageContaining("is also set by a <selectKey>. Remove it");
    }

    @Test
    void theFirstAnnotatedObjectOnTheWayIsInserted() {
        Photo photo = new Photo();
        photo.id = 17L;
        Comment comment = new Comment();
        comment.photo = photo;
        Photo named = new Photo();

        mapper().insertComment(Form.of(null, comment));
        database.execute("DELETE FROM photo");
        mapper().insertNamed(Form.of(named, comment), "named");

        assertThat(comment.id).isEqualTo(1);
        assertThat(named.id).isEqualTo(1);
        assertThat(photo.id).isEqualTo(17);
        assertThat(stored()).containsExactly("1");
    }

    @Test
    void ofTwoObjectsTheOneInKeyPropertyOrWithAReadIdIsInserted() {
        Comment comment = new Comment();
        Photo photo = new Photo();

        mapper().insertTheComment(Form.of(photo, comment));
        mapper().insertWithTitle(Form.of(photo, new Comment()));

        assertThat(comment.id).isEqualTo(1);
        assertThat(photo.id).isNull();
        assertRefused(
                () -> mapper().insertEither(Form.of(photo, new Comment())),
                "Several parameters have a @DistributedId: statement=" + Mapper.class.getName()
                        + ".insertEither parameters=[comment, photo]. Name the one that is inserted, as in"
                        + " @Options(keyProperty = \"photo.id\")");
    }

    @Test
    void aRowWithAnIdIsRefusedOrKept() {
        Import assigned = new Import();
        assigned.id = 70L;
        Photo photo = new Photo();
        photo.id = 71L;

        mapper().insert(statement(assigned));

        assertThat(stored()).containsExactly("70");
        assertThatThrownBy(() -> mapper().insert(statement(photo)))
                .cause()
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("An object must not have an id before it is given one: " + Photo.class.getName()
                        + ".id (seq=photos) has 71.");
    }

    @Test
    void aRowWhoseStatementLeavesOutTheIdIsRefused() {
        Photo photo = new Photo();
        String message = "An INSERT must contain the id of its row: " + Photo.class.getName()
                + ".id (seq=photos) is none of its parameters: statement=" + Mapper.class.getName();

        assertRefused(
                () -> mapper().insert(new Statement<>(photo, "INSERT INTO photo (title) VALUES (#{row.title})")),
                message + ".insert. Add #{row.id}; in MyBatis Dynamic SQL, map it by toProperty instead of"
                        + " toPropertyWhenPresent. If another object is inserted, name it in keyProperty");
        assertThat(photo.id).isNull();
        assertThatThrownBy(() -> mapper().insertWithoutId(Form.of(photo, null)))
                .cause()
                .hasMessageStartingWith(message);
        assertThat(stored()).isEmpty();

        photo.id = 17L;
        mapper().insertWithoutId(Form.of(photo, null));
        assertThat(stored()).as("of a photo that is stored already").containsExactly("1000");
    }

    @Test
    void theDatabaseNumbersOnlyOtherObjects() {
        Form form = Form.of(new Photo(), null);

        mapper().insertForm(form);

        assertThat(form.id).isEqualTo(1000);
        assertThat(form.photo.id).isNull();
        assertThatThrownBy(() -> mapper().insertGenerated(form))
                .cause()
                .hasMessageStartingWith("An id must have one generator: ");
    }

    @Test
    void theSqlOfAnObjectThatWrapsNothingIsMadeOnce() {
        Listened.made = 0;

        mapper().insertPlain(new Listened());

        assertThat(Listened.made).isEqualTo(1);
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(PersistenceException.class)
                .cause()
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(message);
    }
}
