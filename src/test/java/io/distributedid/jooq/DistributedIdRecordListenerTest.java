package io.distributedid.jooq;

import static io.distributedid.jooq.Tables.OTHER;
import static io.distributedid.jooq.Tables.PHOTO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.jooq.Tables.OtherRecord;
import io.distributedid.jooq.Tables.PhotoRecord;
import io.distributedid.jooq.Tables.Wrapped;
import io.distributedid.testkit.SentStatements;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.TableField;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DAOImpl;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.types.UInteger;
import org.jooq.types.ULong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records of named tables get ids, and nothing else does. */
class DistributedIdRecordListenerTest {

    private final SentStatements database = SentStatements.to("jdbc:h2:mem:jooq;DB_CLOSE_DELAY=-1");

    private final DistributedIds ids = DistributedIds.create(Map.of(
            "distributedid.backend",
            "sequence_table",
            "distributedid.sequence_table.servers",
            "jdbc:h2:mem:" + UUID.randomUUID(),
            "distributedid.create_tables",
            true,
            "distributedid.block.max_age",
            "off"));

    private final DistributedIdRecordListener photos =
            DistributedIdRecordListener.of(ids).table(PHOTO, PHOTO.id, "photos");

    @BeforeEach
    void createTables() throws SQLException {
        execute("CREATE TABLE \"photo\" (\"id\" BIGINT PRIMARY KEY, \"title\" VARCHAR(100), \"narrow\" INT,"
                + " \"text\" VARCHAR(30), \"unsigned\" BIGINT, \"narrow_unsigned\" BIGINT, \"wrapped\" BIGINT,"
                + " \"flag\" BOOLEAN)");
        execute("CREATE TABLE \"other\" (\"id\" BIGINT DEFAULT 99)");
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

    private DSLContext jooq(DistributedIdRecordListener listener) {
        DefaultConfiguration configuration = new DefaultConfiguration();
        configuration.set(database);
        configuration.set(SQLDialect.H2);
        configuration.set(listener);
        return DSL.using(configuration);
    }

    private List<Long> stored() {
        return jooq(photos).select(PHOTO.id).from(PHOTO).orderBy(PHOTO.id).fetch(PHOTO.id);
    }

    private static PhotoRecord photo(DSLContext jooq) {
        PhotoRecord photo = jooq.newRecord(PHOTO);
        photo.set(PHOTO.title, "sunset");
        return photo;
    }

    @Test
    void recordsGetIdsWhenTheyAreInsertedAndNotWhenTheyAreUpdated() {
        DSLContext jooq = jooq(photos);
        PhotoRecord inserted = photo(jooq);
        PhotoRecord stored = photo(jooq);

        inserted.insert();
        stored.store();
        stored.set(PHOTO.title, "dusk");
        stored.store();

        assertThat(inserted.get(PHOTO.id)).isEqualTo(1);
        assertThat(stored.get(PHOTO.id)).isEqualTo(2);
        assertThat(stored()).containsExactly(1L, 2L);
        assertThat(jooq.fetchCount(PHOTO, PHOTO.title.eq("dusk"))).isEqualTo(1);
    }

    @Test
    void aMergeKeepsTheIdByWhichItFindsItsRow() {
        DSLContext jooq = jooq(photos);
        PhotoRecord stored = photo(jooq);
        stored.store();
        PhotoRecord found = photo(jooq);
        found.set(PHOTO.id, stored.get(PHOTO.id));
        found.set(PHOTO.title, "dusk");

        found.merge();

        assertThat(stored()).containsExactly(stored.get(PHOTO.id));
        assertThat(jooq.fetchCount(PHOTO, PHOTO.title.eq("dusk"))).isEqualTo(1);
    }

    /** As jOOQ generates it. */
    static final class PhotoDao extends DAOImpl<PhotoRecord, PhotoPojo, Long> {

        PhotoDao(Configuration configuration) {
            super(PHOTO, PhotoPojo.class, configuration);
        }

        @Override
        public Long getId(PhotoPojo photo) {
            return photo.id;
        }
    }

    public static final class PhotoPojo {
        public Long id;
        public String title = "sunset";
    }

    @Test
    void aDaoHandsBackTheIdOfAnInsertAndRefusesAMergeWithoutId() {
        PhotoDao dao = new PhotoDao(jooq(photos).configuration());
        PhotoPojo photo = new PhotoPojo();
        PhotoPojo without = new PhotoPojo();

        dao.insert(photo);
        photo.title = "dusk";
        dao.merge(photo);

        assertThat(photo.id).isEqualTo(1);
        assertThat(stored()).containsExactly(1L);
        List<PhotoPojo> batch = List.of(new PhotoPojo(), new PhotoPojo());
        dao.insert(batch);
        assertThat(batch).extracting(each -> each.id).containsExactly(2L, 3L);
        String message = "A record must have an id to be merged, which finds a row by its id: \"photo\".\"id\""
                + " (seq=photos). Insert it with insert() or store(), or set its id before, with"
                + " DistributedIds.next(\"photos\")";
        assertThatThrownBy(() -> dao.merge(without))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> dao.merge(photo, without)).hasMessage(message);
        assertThat(without.id).isNull();
        assertThat(stored()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aBatchOfAThousandRecordsIsOneStatementAndNothingElse() {
        DSLContext jooq = jooq(photos);
        int before = database.sent().size();

        jooq.batchInsert(Stream.generate(() -> photo(jooq)).limit(1_000).toList())
                .execute();

        assertThat(database.sent().subList(before, database.sent().size()))
                .containsExactly("insert into \"photo\" (\"id\", \"title\") values (?, ?)");
        assertThat(stored())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 1_000).boxed().toList());
        jooq.batchStore(photo(jooq), photo(jooq)).execute();
        assertThat(stored()).hasSize(1_002);
    }

    @Test
    void anIdThatIsSetIsRefusedUnlessItMayBeAssigned() {
        DSLContext jooq = jooq(photos);
        PhotoRecord photo = photo(jooq);
        photo.set(PHOTO.id, 7L);

        assertThatThrownBy(photo::insert)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A record must not have an id before it is given one: \"photo\".\"id\" (seq=photos) has 7."
                        + " Leave it null, or keep such ids with DistributedIdRecordListener.assigned(table)");
        assertThat(stored()).isEmpty();

        DSLContext importing = jooq(photos.assigned(PHOTO));
        photo.attach(importing.configuration());
        photo.insert();
        photo(importing).insert();
        photo.merge();
        assertThat(stored()).containsExactly(1L, 7L);
    }

    @Test
    void otherTablesAndOtherStatementsAreLeftAlone() {
        DSLContext jooq = jooq(photos);
        OtherRecord other = jooq.newRecord(OTHER);
        other.insert();
        jooq.insertInto(PHOTO).set(PHOTO.id, ids.next("photos")).execute();

        assertThat(jooq.select(OTHER.id).from(OTHER).fetch(OTHER.id)).containsExactly(99L);
        assertThat(stored()).containsExactly(1L);
        assertThatThrownBy(
                        () -> jooq.insertInto(PHOTO).set(PHOTO.title, "sunset").execute())
                .as("no listener is called, and the database refuses it")
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("NULL");
        assertThatThrownBy(() -> jooq.executeInsert(photo(jooq))).hasMessageContaining("NULL");
    }

    @Test
    void columnsOfAllTypesForIds() {
        assertThat(given(PHOTO.narrow)).isEqualTo(1);
        assertThat(given(PHOTO.text)).isEqualTo("2");
        assertThat(given(PHOTO.unsigned)).isEqualTo(ULong.valueOf(3));
        assertThat(given(PHOTO.wrapped)).isEqualTo(new Wrapped(4));
    }

    /** Given an id in another column. */
    private <T> T given(TableField<PhotoRecord, T> column) {
        DSLContext jooq = jooq(DistributedIdRecordListener.of(ids).table(PHOTO, column, "all"));
        PhotoRecord photo = jooq.newRecord(PHOTO);
        photo.set(PHOTO.id, 100L + jooq.fetchCount(PHOTO));
        // All users of a sequence store ids of the same width: the narrowest comes first.
        ids.sequence("all", Integer.MAX_VALUE, "test");
        photo.insert();
        return photo.get(column);
    }

    @Test
    void anUnsignedIntegerHolds32Bits() {
        DSLContext jooq = jooq(DistributedIdRecordListener.of(ids).table(PHOTO, PHOTO.narrowUnsigned, "unsigned"));
        PhotoRecord photo = jooq.newRecord(PHOTO);
        photo.set(PHOTO.id, 1L);
        photo.insert();

        assertThat(photo.get(PHOTO.narrowUnsigned)).isEqualTo(UInteger.valueOf(1));
        assertThatThrownBy(() -> ids.sequence("unsigned", Integer.MAX_VALUE, "test"))
                .hasMessageContaining("stores up to 4294967295");
    }

    @Test
    void wrongTablesAreRefusedWhenTheyAreAdded() {
        assertThatThrownBy(() -> photos.table(PHOTO, PHOTO.id, "others"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A table must be added once: table=\"photo\" seq=others, it was added with"
                        + " \"photo\".\"id\" (seq=photos)");
        assertThatThrownBy(() -> DistributedIdRecordListener.of(ids).table(PHOTO, PHOTO.flag, "photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A column of this type can't hold an id: \"photo\".\"flag\" (seq=photos)"
                        + " type=java.lang.Boolean, allowed: long, Long, int, Integer, BigInteger, BigDecimal, String,"
                        + " ULong, UInteger");
        assertThatThrownBy(() -> DistributedIdRecordListener.of(ids).table(PHOTO.as("p"), PHOTO.id, "photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The id must be a column of the table: table=\"p\" id=\"photo\".\"id\"");
        assertThatThrownBy(() -> photos.assigned(OTHER))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A table must be added before its ids may be assigned: table=\"other\", allowed:"
                        + " [\"photo\"]");
    }

    @Test
    void sequencesAreCheckedAtStart() {
        try (DistributedIds wrong = DistributedIds.create(Map.of("distributedid.backend", "sequence_table"))) {
            DistributedIdRecordListener listener =
                    DistributedIdRecordListener.of(wrong).table(PHOTO, PHOTO.id, "photos");
            assertThatThrownBy(listener::check)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("\"photo\".\"id\" (seq=photos): A setting is missing: ");
        }
        photos.check();
        assertThat(ids.sequences()).containsExactly("photos");
    }

    @Test
    void aRolledBackIdIsNotGivenAgain() {
        DSLContext jooq = jooq(photos);
        PhotoRecord first = photo(jooq);
        assertThatThrownBy(() -> jooq.transaction(transaction -> {
                    first.attach(transaction);
                    first.insert();
                    throw new IllegalStateException("rolled back by this test");
                }))
                .hasMessage("rolled back by this test");
        photo(jooq).insert();

        assertThat(first.get(PHOTO.id)).isEqualTo(1);
        assertThat(stored()).containsExactly(2L);
    }
}
