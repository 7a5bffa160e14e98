package contender;

import io.distributedid.jooq.DistributedIdRecordListener;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.TableField;
import org.jooq.UniqueKey;
import org.jooq.impl.CustomTable;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.UpdatableRecordImpl;

/** jOOQ, whose records are inserted in batches. */
final class JooqMapper implements Mapper {

    /** As jOOQ's code generator would write it. */
    static final class PhotoTable extends CustomTable<PhotoRecord> {

        private static final long serialVersionUID = 1L;

        static final PhotoTable PHOTO = new PhotoTable();

        final TableField<PhotoRecord, Long> id = createField(DSL.name("ID"), SQLDataType.BIGINT.notNull());

        final TableField<PhotoRecord, String> title = createField(DSL.name("TITLE"), SQLDataType.VARCHAR(100));

        private PhotoTable() {
            super(DSL.name("PHOTO"));
        }

        @Override
        public Class<? extends PhotoRecord> getRecordType() {
            return PhotoRecord.class;
        }

        @Override
        public UniqueKey<PhotoRecord> getPrimaryKey() {
            return Internal.createUniqueKey(this, id);
        }
    }

    /** A row. */
    public static final class PhotoRecord extends UpdatableRecordImpl<PhotoRecord> {

        private static final long serialVersionUID = 1L;

        /** Without values. */
        public PhotoRecord() {
            super(PhotoTable.PHOTO);
        }
    }

    private final Memory memory;

    private final Side side;

    private final DSLContext jooq;

    JooqMapper(Memory memory, Side side) {
        this.memory = memory;
        this.side = side;
        Configuration configuration =
                new DefaultConfiguration().set(SQLDialect.H2).set(memory.pool);
        if (side == Side.OURS) {
            configuration.set(DistributedIdRecordListener.of(memory.ids)
                    .table(PhotoTable.PHOTO, PhotoTable.PHOTO.id, Memory.TABLE)
                    .check());
        }
        jooq = DSL.using(configuration);
    }

    @Override
    public void insert(int rows) {
        jooq.transaction(transaction -> {
            for (int done = 0; done < rows; done += BATCH) {
                transaction.dsl().batchInsert(records(transaction.dsl())).execute();
            }
        });
    }

    private List<PhotoRecord> records(DSLContext context) {
        List<PhotoRecord> records = new ArrayList<>(BATCH);
        for (int i = 0; i < BATCH; i++) {
            PhotoRecord photo = context.newRecord(PhotoTable.PHOTO);
            photo.set(PhotoTable.PHOTO.title, TITLE);
            if (side == Side.ASSIGNED) {
                photo.set(PhotoTable.PHOTO.id, memory.nextAssigned());
            }
            records.add(photo);
        }
        return records;
    }
}
