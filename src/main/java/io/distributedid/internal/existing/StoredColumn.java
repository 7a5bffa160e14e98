package io.distributedid.internal.existing;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.property.StoredNumbers;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Optional;
import java.util.Set;

/**
 * A column as the database defines it, not the mapping: {@code SELECT id FROM photo WHERE 1 = 0}.
 *
 * @param type one of {@link Types}
 * @param product empty for another database than ours, whose numbers alone can be read
 */
record StoredColumn(IdColumn column, int type, String typeName, Optional<DatabaseProduct> product) {

    private static final Set<Integer> NUMBERS = Set.of(
            Types.BIGINT,
            Types.INTEGER,
            Types.SMALLINT,
            Types.TINYINT,
            Types.NUMERIC,
            Types.DECIMAL,
            Types.DOUBLE,
            Types.FLOAT,
            Types.REAL);

    /** Empty if the table is missing. */
    static Optional<StoredColumn> of(Connection connection, IdColumn column) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery(
                        "SELECT " + column.column() + " FROM " + column.table() + " WHERE 1 = 0")) {
            return Optional.of(new StoredColumn(
                    column,
                    none.getMetaData().getColumnType(1),
                    none.getMetaData().getColumnTypeName(1),
                    DatabaseProduct.find(connection)));
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    boolean isText() {
        return StoredNumbers.areTexts(type);
    }

    /** Why its ids can't be compared; empty if they can. */
    Optional<String> hindrance() {
        if (isText()) {
            return product.isPresent()
                    ? Optional.empty()
                    : Optional.of("texts are compared only in MySQL, MariaDB, PostgreSQL and H2");
        }
        return NUMBERS.contains(type)
                ? Optional.empty()
                : Optional.of("it holds neither numbers nor texts: type=" + typeName);
    }

    /** Whether an index on it would give the order of its ids. */
    boolean isOrdered() {
        return !isText() || column.form() == IdForm.PADDED;
    }

    RemainderSearch search() throws SQLException {
        Optional<String> hindrance = hindrance();
        if (hindrance.isPresent()) {
            throw new SQLException("The largest id of a column can't be read: " + hindrance.get());
        }
        IdQueries queries = isText()
                ? IdQueries.ofTexts(column.table(), column.column(), column.form(), product.orElseThrow())
                : IdQueries.ofNumbers(column.table(), column.column());
        return new RemainderSearch(queries, column);
    }
}
