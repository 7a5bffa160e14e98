package io.distributedid.jooq;

import org.jooq.Converter;
import org.jooq.DataType;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.UniqueKey;
import org.jooq.impl.DSL;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jooq.impl.UpdatableRecordImpl;
import org.jooq.types.UInteger;
import org.jooq.types.ULong;

/** Tables as jOOQ generates them, in short. */
final class Tables {

    static final class PhotoRecord extends UpdatableRecordImpl<PhotoRecord> {
        private static final long serialVersionUID = 1L;

        PhotoRecord() {
            super(PHOTO);
        }
    }

    static final class OtherRecord extends UpdatableRecordImpl<OtherRecord> {
        private static final long serialVersionUID = 1L;

        OtherRecord() {
            super(OTHER);
        }
    }

    record Wrapped(long id) {}

    static final class Photo extends TableImpl<PhotoRecord> {
        private static final long serialVersionUID = 1L;

        final TableField<PhotoRecord, Long> id = column("id", SQLDataType.BIGINT.notNull());
        final TableField<PhotoRecord, String> title = column("title", SQLDataType.VARCHAR);
        final TableField<PhotoRecord, Integer> narrow = column("narrow", SQLDataType.INTEGER);
        final TableField<PhotoRecord, String> text = column("text", SQLDataType.VARCHAR);
        final TableField<PhotoRecord, ULong> unsigned = column("unsigned", SQLDataType.BIGINTUNSIGNED);
        final TableField<PhotoRecord, UInteger> narrowUnsigned = column("narrow_unsigned", SQLDataType.INTEGERUNSIGNED);
        final TableField<PhotoRecord, Wrapped> wrapped = column(
                "wrapped",
                SQLDataType.BIGINT.asConvertedDataType(
                        Converter.ofNullable(Long.class, Wrapped.class, Wrapped::new, Wrapped::id)));
        final TableField<PhotoRecord, Boolean> flag = column("flag", SQLDataType.BOOLEAN);

        private Photo() {
            super(DSL.name("photo"));
        }

        private <T> TableField<PhotoRecord, T> column(String name, DataType<T> type) {
            return createField(DSL.name(name), type, this);
        }

        @Override
        public Class<PhotoRecord> getRecordType() {
            return PhotoRecord.class;
        }

        @Override
        public UniqueKey<PhotoRecord> getPrimaryKey() {
            return Internal.createUniqueKey(this, DSL.name("key_photo"), id);
        }
    }

    static final class Other extends TableImpl<OtherRecord> {
        private static final long serialVersionUID = 1L;

        final TableField<OtherRecord, Long> id =
                createField(DSL.name("id"), SQLDataType.BIGINT.notNull(), (Table<OtherRecord>) this);

        private Other() {
            super(DSL.name("other"));
        }

        @Override
        public Class<OtherRecord> getRecordType() {
            return OtherRecord.class;
        }
    }

    static final Photo PHOTO = new Photo();

    static final Other OTHER = new Other();

    private Tables() {}
}
