package photos;

import static photos.tables.Tables.PHOTO;

import io.distributedid.DistributedIds;
import io.distributedid.jooq.DistributedIdRecordListener;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import photos.tables.tables.records.PhotoRecord;

/** jOOQ, with ids from a sequence table in its own database. */
public final class PhotoDatabase implements AutoCloseable {

    private final DistributedIds ids;

    private final DSLContext jooq;

    public PhotoDatabase(DataSource dataSource) {
        ids = DistributedIds.builder()
                .settings(Map.of("distributedid.backend", "sequence_table", "distributedid.create_tables", true))
                .applicationDatabase(new ApplicationDatabase(dataSource))
                .build();
        jooq = jooq(dataSource, ids);
    }

    private static DSLContext jooq(DataSource dataSource, DistributedIds ids) {
        DefaultConfiguration configuration = new DefaultConfiguration();
        configuration.set(SQLDialect.POSTGRES);
        configuration.set(dataSource);
        configuration.set(DistributedIdRecordListener.of(ids)
                .table(PHOTO, PHOTO.ID, "photos")
                .check());
        return DSL.using(configuration);
    }

    public DSLContext jooq() {
        return jooq;
    }

    public DistributedIds ids() {
        return ids;
    }

    /** A record gets its id when it is stored. */
    public PhotoRecord upload(String title) {
        PhotoRecord photo = jooq.newRecord(PHOTO);
        photo.setTitle(title);
        photo.store();
        return photo;
    }

    /** Records of one batch. */
    public void upload(String title, int count) {
        jooq.batchInsert(Stream.generate(() -> jooq.newRecord(PHOTO).setTitle(title))
                        .limit(count)
                        .toList())
                .execute();
    }

    /** jOOQ calls no listener for a statement: it names the id. */
    public PhotoRecord uploadReturning(String title) {
        return jooq.insertInto(PHOTO)
                .set(PHOTO.ID, ids.next("photos"))
                .set(PHOTO.TITLE, title)
                .returning()
                .fetchSingle();
    }

    /** The ids of many rows at once. */
    public void uploadRows(String title, int count) {
        var insert = jooq.insertInto(PHOTO, PHOTO.ID, PHOTO.TITLE);
        for (long id : ids.next("photos", count)) {
            insert = insert.values(id, title);
        }
        insert.execute();
    }

    /** Ends the threads of the ids. */
    @Override
    public void close() {
        ids.close();
    }
}
