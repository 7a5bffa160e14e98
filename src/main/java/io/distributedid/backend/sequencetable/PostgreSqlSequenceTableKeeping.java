package io.distributedid.backend.sequencetable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * PostgreSQL: an UNLOGGED table is empty after a crash, a TEMPORARY one belongs to one session. {@code regclass} finds
 * the table as SQL does. A key that is partial, deferrable or on an expression does not serve {@code ON CONFLICT
 * (name)}.
 */
final class PostgreSqlSequenceTableKeeping implements SequenceTableKeeping {

    private static final String SELECT = "SELECT relkind, relpersistence, EXISTS (SELECT 1 FROM pg_index i"
            + " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE i.indrelid = c.oid"
            + " AND a.attname = 'name' AND i.indnkeyatts = 1 AND i.indisunique AND i.indisvalid AND i.indimmediate"
            + " AND i.indpred IS NULL) FROM pg_class c WHERE c.oid = CAST(? AS regclass)";

    @Override
    public Kept read(Connection connection, String table) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setString(1, table);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return kept(row.getString(1), row.getString(2), row.getBoolean(3));
            }
        }
    }

    private static Kept kept(String kind, String persistence, boolean uniqueNames) {
        return switch (kind + persistence) {
            case "rp" -> new Kept("LOGGED", Verdict.KEPT, uniqueNames);
            case "ru" -> new Kept("UNLOGGED", Verdict.LOST, uniqueNames);
            case "rt" -> new Kept("TEMPORARY", Verdict.NO_TABLE, uniqueNames);
            default -> new Kept(kindName(kind), Verdict.NO_TABLE, uniqueNames);
        };
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
    public String property() {
        return "persistence";
    }

    @Override
    public String allowed() {
        return "LOGGED";
    }

    @Override
    public String keep(String table) {
        return "ALTER TABLE " + table + " SET LOGGED";
    }
}
