package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.StoredCounter;
import io.distributedid.internal.counter.Transactions;
import io.distributedid.internal.counter.WitnessNote;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A row of a sequence table on one connection. For one thread at a time. */
final class SequenceTableCounter implements StoredCounter {

    /** A table that exists, its server, and the record beside it. If caseless, it has one row for Photos and photos. */
    record Place(
            Connection connection,
            String label,
            DatabaseProduct product,
            Numbering numbering,
            String table,
            boolean isCaseless,
            RecordTable record,
            String identity) {}

    private final Place place;

    private final SequenceRow row;

    private final Connection connection;

    private final SequenceTableDialect dialect;

    private final Numbering numbering;

    private final String table;

    /** The name in the row; null if the row was not found. */
    private @Nullable String stored;

    SequenceTableCounter(Place place, SequenceRow row) {
        this.place = place;
        this.row = row;
        this.connection = place.connection;
        this.dialect = SequenceTableDialect.of(place.product);
        this.numbering = place.numbering;
        this.table = place.table;
    }

    @Override
    public RecordTable record() {
        return place.record;
    }

    @Override
    public String identity() {
        return place.identity;
    }

    Place place() {
        return place;
    }

    /** Notes whether the table has a row with exactly the name of the sequence. */
    void found(boolean isThere) {
        stored = isThere ? row.name() : null;
    }

    @Override
    public void requireNew() throws SQLException {
        if (TablePins.isSearched(place.product, row.table())) {
            SearchPath.requireNew(connection, row, storedName(), place.record, describe());
        }
    }

    /** If the row is lost and names ignore case, the record still has the row's spelling. */
    @Override
    public String storedName() throws SQLException {
        if (stored == null) {
            last();
        }
        if (stored != null) {
            return stored;
        }
        return place.isCaseless ? place.record.recordedName(row.name()) : row.name();
    }

    SequenceRow row() {
        return row;
    }

    String table() {
        return table;
    }

    Numbering numbering() {
        return numbering;
    }

    private String describe() {
        return row + " on " + place.label;
    }

    @Override
    public Optional<Block> reserve(Draw draw) throws SQLException {
        long step = numbering.increment();
        long count = draw.wanted();
        long last = add(Math.multiplyExact(count, step), draw);
        if (last < 0) {
            return Optional.empty();
        }
        long first = last - (count - 1) * step;
        if (!numbering.holds(last) || first < 1) {
            throw new IdConfigurationException("A sequence's row has a value that this server never gives: "
                    + describe() + " id=" + last + ", " + numbering
                    + ". Does a client draw one id at a time, without the numbering? Stop it and run: "
                    + row.repairCommand());
        }
        if (draw.note().isPresent()) {
            write(draw.note().get());
        }
        return Optional.of(new Block(first, step, count));
    }

    private long add(long amount, Draw draw) throws SQLException {
        Addition addition = new Addition(table, storedName(), amount, draw.lastKnown(), draw.fence());
        try {
            return dialect.add(connection, addition);
        } catch (SQLException e) {
            if (SqlErrors.isOutOfRange(e)) {
                throw new IdsExhaustedException("The sequence is at the end of its column: " + describe()
                        + ". Give the sequence another table, or the column id a wider type");
            }
            throw e;
        }
    }

    void write(WitnessNote note) throws SQLException {
        record().write(note);
    }

    @Override
    public boolean giveBack(Block rest) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET id = ? WHERE name = ? AND id = ?")) {
            update.setLong(1, rest.first() - rest.step());
            update.setString(2, storedName());
            update.setLong(3, rest.last());
            return update.executeUpdate() == 1;
        }
    }

    @Override
    public void raise(long above) throws SQLException {
        long last = numbering.before(above + 1);
        dialect.insert(connection, table, storedName(), last);
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET id = ? WHERE name = ? AND id < ?")) {
            update.setLong(1, last);
            update.setString(2, storedName());
            update.setLong(3, last);
            update.executeUpdate();
        }
    }

    @Override
    public OptionalLong last() throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT name, id FROM " + table + " WHERE name = ?")) {
            select.setString(1, row.name());
            try (ResultSet found = select.executeQuery()) {
                if (!found.next()) {
                    stored = null;
                    return OptionalLong.empty();
                }
                String name = found.getString(1);
                stored = name.equals(row.name()) ? row.name() : name;
                return OptionalLong.of(UnsignedColumn.read(found, 2));
            }
        }
    }

    @Override
    public <T> T inTransaction(Work<T> work) throws SQLException {
        return Transactions.run(connection, work);
    }
}
