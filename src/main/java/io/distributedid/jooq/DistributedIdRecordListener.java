package io.distributedid.jooq;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.mapper.MapperIds;
import java.util.HashMap;
import java.util.Map;
import org.jooq.RecordContext;
import org.jooq.RecordListener;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.TableRecord;

/**
 * Gives ids to jOOQ's records before {@code insert}, {@code store}, {@code batchInsert} and {@code batchStore}.
 *
 * <pre>{@code
 * DistributedIdRecordListener listener = DistributedIdRecordListener.of(ids)
 *         .table(PHOTO, PHOTO.ID, "photos")
 *         .table(COMMENT, COMMENT.ID, "comments");
 * configuration.set(listener);
 * }</pre>
 *
 * <p>Only records of the tables that were named get ids. jOOQ calls listeners for records, and not for its other
 * statements: write {@code insertInto(PHOTO).set(PHOTO.ID, ids.next("photos"))} there. In
 * {@code record.insert(fields)}, name the id among the fields.
 *
 * <p>Ids are taken on separate connections: nothing is executed in the transaction of the record, and a rollback leaves
 * the record with an id that no row has. A record that already has an id is refused by {@code insert} and
 * {@code store}, unless the table {@linkplain #assigned allows it}; {@code null}, 0 and an empty text count as no id.
 *
 * <p>{@code merge} finds a row by its id, so a record without one is refused. A new id might replace the id of a row
 * that MySQL finds by another key, and a {@code DAO} would not write the new id back to its object. Immutable and
 * thread-safe.
 */
public final class DistributedIdRecordListener implements RecordListener {

    private final MapperIds ids;

    private final Map<Table<?>, Column<?>> columns;

    private DistributedIdRecordListener(MapperIds ids, Map<Table<?>, Column<?>> columns) {
        this.ids = ids;
        this.columns = columns;
    }

    /**
     * Creates a listener without tables.
     *
     * @param ids the caller closes it after the last statement
     * @return a listener that does nothing
     */
    public static DistributedIdRecordListener of(DistributedIds ids) {
        return new DistributedIdRecordListener(new MapperIds(ids), Map.of());
    }

    /**
     * Adds a table. Connects to no server.
     *
     * @param table not an alias
     * @param id its column for the id, of the types that {@link io.distributedid.DistributedId} allows, {@code ULong}
     *     or {@code UInteger}, or with a converter from one of these
     * @param sequence the sequence of its ids
     * @return another listener
     * @param <R> the table's records
     * @throws IdConfigurationException if the column is of another table or type, or the table was added before
     */
    public <R extends TableRecord<R>> DistributedIdRecordListener table(
            Table<R> table, TableField<R, ?> id, String sequence) {
        if (columns.containsKey(table)) {
            throw new IdConfigurationException("A table must be added once: table=" + table.getQualifiedName() + " seq="
                    + sequence + ", it was added with " + columns.get(table));
        }
        return with(table, Column.of(table, id, sequence));
    }

    /**
     * Makes {@code insert} and {@code store} keep the ids that records of a table have: for imports, and for records
     * that move between databases. The sequence must not give such an id later; see
     * {@link io.distributedid.DistributedId#assigned}.
     *
     * @param table one that was added
     * @return another listener
     * @throws IdConfigurationException if it was not added
     */
    public DistributedIdRecordListener assigned(Table<?> table) {
        Column<?> column = columns.get(table);
        if (column == null) {
            throw new IdConfigurationException("A table must be added before its ids may be assigned: table="
                    + table.getQualifiedName() + ", allowed: " + columns.keySet());
        }
        return with(table, column.keepingAssigned());
    }

    private DistributedIdRecordListener with(Table<?> table, Column<?> column) {
        Map<Table<?>, Column<?>> all = new HashMap<>(columns);
        all.put(table, column);
        return new DistributedIdRecordListener(ids, Map.copyOf(all));
    }

    /**
     * Opens the sequences of all tables. Without this call, a sequence is opened when the first record of its table is
     * inserted.
     *
     * @return this
     * @throws IdConfigurationException if a sequence is configured wrongly
     */
    public DistributedIdRecordListener check() {
        ids.open(columns.values().stream().map(Column::place).toList());
        return this;
    }

    /** Called by jOOQ. */
    @Override
    public void insertStart(RecordContext context) {
        if (context.record() instanceof TableRecord<?> record) {
            Column<?> column = columns.get(record.getTable());
            if (column != null && column.needsId(record)) {
                column.set(record, ids.next(column.place()));
            }
        }
    }

    /** Called by jOOQ. */
    @Override
    public void mergeStart(RecordContext context) {
        if (context.record() instanceof TableRecord<?> record) {
            Column<?> column = columns.get(record.getTable());
            if (column != null) {
                column.requireId(record);
            }
        }
    }
}
