package io.distributedid.backend.sequencetable;

import io.distributedid.internal.jdbc.Durability;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * PostgreSQL, at READ COMMITTED: a locking SELECT that had to wait then sees what others have committed.
 *
 * <pre>
 * WITH fence AS (SELECT 1 FROM distributedid_record
 *     WHERE counter = 'sequence/photos' AND server = 0 AND generation = 1 FOR SHARE)
 * UPDATE sequence SET id = id + n WHERE name = 'photos' AND id &gt;= lastKnown
 *     AND EXISTS (SELECT 1 FROM fence) RETURNING id;
 * </pre>
 *
 * <p>The UPDATE also makes its commit durable, see {@link Durability#OF_TRANSACTION}.
 */
final class PostgreSqlSequenceTableDialect implements SequenceTableDialect {

    @Override
    public String idType() {
        return "BIGINT";
    }

    @Override
    public long add(Connection connection, Addition addition) throws SQLException {
        String with = addition.fence()
                .map(fence -> "WITH fence AS (SELECT 1 FROM " + fence.table()
                        + " WHERE counter = ? AND server = 0 AND generation = ? FOR SHARE) ")
                .orElse("");
        String exists = addition.fence().isPresent() ? " AND EXISTS (SELECT 1 FROM fence)" : "";
        try (PreparedStatement update = connection.prepareStatement(
                with + "UPDATE " + addition.table() + " SET id = id + ? WHERE name = ? AND id >= ?" + exists
                        + Durability.OF_TRANSACTION + " RETURNING id")) {
            int parameter = 0;
            if (addition.fence().isPresent()) {
                update.setString(++parameter, addition.fence().get().key());
                update.setLong(++parameter, addition.fence().get().generation());
            }
            update.setLong(++parameter, addition.amount());
            update.setString(++parameter, addition.name());
            update.setLong(++parameter, addition.lastKnown());
            return SequenceTableDialect.returned(update);
        }
    }

    @Override
    public String insertSql(String table) {
        return "INSERT INTO " + table + " (name, id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";
    }
}
