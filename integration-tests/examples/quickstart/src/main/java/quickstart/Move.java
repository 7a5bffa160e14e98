package quickstart;

import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.StringJoiner;

/**
 * Moves a user with all photos and comments to another shard. All rows keep their keys: both shards take ids from the
 * same sequences, so the new shard has no row with one of them, and whoever stored a photo's id still finds the photo.
 */
final class Move {

    private record Rows(String table, String ofUser) {}

    /** In an order that satisfies the foreign keys. */
    private static final List<Rows> ALL = List.of(
            new Rows("users", "id = ?"),
            new Rows("photos", "user_id = ?"),
            new Rows("comments", "photo_id IN (SELECT id FROM photos WHERE user_id = ?)"));

    private Move() {}

    static void move(Shards shards, User user, int target) {
        EntityManagerFactory from = shards.homeOf(user);
        EntityManagerFactory to = shards.get(target);
        from.runInTransaction(old -> {
            // The copy is committed before the original is deleted.
            to.runInTransaction(copy -> old.<Connection>runWithConnection(
                    source -> copy.<Connection>runWithConnection(destination -> copy(source, destination, user.id()))));
            shards.movedTo(user, target);
            old.<Connection>runWithConnection(source -> delete(source, user.id()));
        });
    }

    private static void copy(Connection from, Connection to, long user) throws SQLException {
        for (Rows rows : ALL) {
            try (PreparedStatement select =
                    from.prepareStatement("SELECT * FROM " + rows.table + " WHERE " + rows.ofUser)) {
                select.setLong(1, user);
                try (ResultSet row = select.executeQuery()) {
                    insert(to, rows.table, row);
                }
            }
        }
    }

    /** By SQL, since persist() is for rows that have no key yet. If a key were taken, the INSERT would fail. */
    private static void insert(Connection to, String table, ResultSet row) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        StringJoiner names = new StringJoiner(", ");
        StringJoiner values = new StringJoiner(", ");
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            names.add(columns.getColumnName(column));
            values.add("?");
        }
        String sql = "INSERT INTO %s (%s) VALUES (%s)".formatted(table, names, values);
        try (PreparedStatement insert = to.prepareStatement(sql)) {
            while (row.next()) {
                for (int column = 1; column <= columns.getColumnCount(); column++) {
                    insert.setObject(column, row.getObject(column));
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void delete(Connection from, long user) throws SQLException {
        for (int i = ALL.size() - 1; i >= 0; i--) {
            Rows rows = ALL.get(i);
            try (PreparedStatement delete =
                    from.prepareStatement("DELETE FROM " + rows.table + " WHERE " + rows.ofUser)) {
                delete.setLong(1, user);
                delete.executeUpdate();
            }
        }
    }
}
