package io.distributedid.backend.sequencetable;

import io.distributedid.internal.jdbc.SqlErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * H2. It has no shared row locks, so the record's row is locked exclusively:
 *
 * <pre>
 * SELECT id FROM FINAL TABLE (UPDATE sequence SET id = id + n WHERE name = 'photos' AND id &gt;= lastKnown
 *     AND EXISTS (SELECT 1 FROM distributedid_record
 *         WHERE counter = 'sequence/photos' AND server = 0 AND generation = 1 FOR UPDATE));
 * </pre>
 */
final class H2SequenceTableDialect implements SequenceTableDialect {

    @Override
    public String idType() {
        return "BIGINT";
    }

    @Override
    public long add(Connection connection, Addition addition) throws SQLException {
        StringBuilder sql = new StringBuilder("SELECT id FROM FINAL TABLE (UPDATE ")
                .append(addition.table())
                .append(" SET id = id + ? WHERE name = ? AND id >= ?");
        addition.fence()
                .ifPresent(fence -> sql.append(" AND EXISTS (SELECT 1 FROM ")
                        .append(fence.table())
                        .append(" WHERE counter = ? AND server = 0 AND generation = ? FOR UPDATE)"));
        try (PreparedStatement update =
                connection.prepareStatement(sql.append(')').toString())) {
            update.setLong(1, addition.amount());
            update.setString(2, addition.name());
            update.setLong(3, addition.lastKnown());
            if (addition.fence().isPresent()) {
                update.setString(4, addition.fence().get().key());
                update.setLong(5, addition.fence().get().generation());
            }
            return SequenceTableDialect.returned(update);
        }
    }

    /** Two concurrent MERGEs may both insert. The second then fails with a duplicate key. */
    @Override
    public void insert(Connection connection, String table, String name, long id) throws SQLException {
        try {
            SequenceTableDialect.super.insert(connection, table, name, id);
        } catch (SQLException e) {
            if (!SqlErrors.isDuplicateKey(e)) {
                throw e;
            }
        }
    }

    @Override
    public String insertSql(String table) {
        return "MERGE INTO " + table
                + " t USING (VALUES (CAST(? AS VARCHAR), CAST(? AS BIGINT))) v (name, id) ON t.name = v.name"
                + " WHEN NOT MATCHED THEN INSERT (name, id) VALUES (v.name, v.id)";
    }
}
