package io.distributedid.backend.sequencetable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * PostgreSQL: an UNLOGGED table is empty after a crash, a TEMPORARY one belongs to one session. {@code regclass} finds
 * the table as SQL does. {@code ON CONFLICT (name)} can't use a key that is partial, deferrable or on an expression.
 */
final class PostgreSqlSequenceTableStorage implements SequenceTableStorage {

    private static final String SELECT = "SELECT relkind, relpersistence, EXISTS (SELECT 1 FROM pg_index i"
            + " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE i.indrelid = c.oid"
            + " AND a.attname = 'name' AND i.indnkeyatts = 1 AND i.indisunique AND i.indisvalid AND i.indimmediate"
            + " AND i.indpred IS NULL) FROM pg_class c WHERE c.oid = CAST(? AS regclass)";

    @Override
    public Found read(Connection connection, String table) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setString(1, table);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return found(row.getString(1), row.getString(2), row.getBoolean(3));
            }
        }
    }

    private static Found found(String kind, String persistence, boolean uniqueNames) {
        return switch (kind + persistence) {
            case "rp" -> found("LOGGED", Verdict.DURABLE, uniqueNames);
            case "ru" -> found("UNLOGGED", Verdict.VOLATILE, uniqueNames);
            case "rt" -> found("TEMPORARY", Verdict.NO_TABLE, uniqueNames);
            default -> found(kindName(kind), Verdict.NO_TABLE, uniqueNames);
        };
    }

    private static Found found(String persistence, Verdict verdict, boolean uniqueNames) {
        return new Found("persistence=" + persistence + ", allowed: LOGGED", verdict, uniqueNames);
    }

    private static String kindName(String kind) {
        return switch (kind) {
            case "v", "m" -> "VIEW";
            case "p" -> "PARTITIONED";
            case "f" -> "FOREIGN";
            default -> "relkind " + kind;
        };
    }

    @Override
    public String makeDurable(String table) {
        return "ALTER TABLE " + table + " SET LOGGED";
    }
}
