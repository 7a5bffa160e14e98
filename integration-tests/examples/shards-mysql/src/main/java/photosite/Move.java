package photosite;

import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Moves a user with all photos and comments to another shard. All rows keep their keys: all shards take ids from the
 * same ticket servers, so the new shard has no row with one of them, and whoever stored a photo's id still finds the
 * photo.
 *
 * <p>The directory decides. A move that breaks off leaves copies on a shard that is not the user's home; {@link #sweep}
 * deletes them, and the next move to that shard does so by itself.
 */
final class Move {

    private record Rows(String table, String ofUser) {}

    /** In an order that satisfies the foreign keys. */
    private static final List<Rows> ALL = List.of(
            new Rows("users", "id = ?"),
            new Rows("photos", "user_id = ?"),
            new Rows("comments", "photo_id IN (SELECT id FROM photos WHERE user_id = ?)"));

    private final Directory directory;

    private final Shards shards;

    Move(Directory directory, Shards shards) {
        this.directory = directory;
        this.shards = shards;
    }

    void move(long user, int target) {
        directory.alone(user, home -> {
            if (home.shard() != target) {
                delete(target, user);
                copy(user, home.shard(), target);
                home.moveTo(target);
            }
        });
        sweep(user);
    }

    /** Deletes what is not at the user's home. */
    void sweep(long user) {
        directory.alone(
                user,
                home -> IntStream.range(0, Shards.COUNT)
                        .filter(shard -> shard != home.shard())
                        .forEach(shard -> delete(shard, user)));
    }

    /** The copy is committed before the directory names it. */
    private void copy(long user, int from, int to) {
        EntityManagerFactory source = shards.get(from);
        EntityManagerFactory target = shards.get(to);
        source.runInTransaction(old -> old.<Connection>runWithConnection(reader ->
                target.runInTransaction(young -> young.<Connection>runWithConnection(writer -> {
                    for (Rows rows : ALL) {
                        copy(rows, user, reader, writer);
                    }
                }))));
    }

    private static void copy(Rows rows, long user, Connection from, Connection to) throws SQLException {
        try (PreparedStatement select =
                from.prepareStatement("SELECT * FROM " + rows.table + " WHERE " + rows.ofUser)) {
            select.setLong(1, user);
            try (ResultSet row = select.executeQuery()) {
                insert(rows.table, row, to);
            }
        }
    }

    /** By SQL, since persist() is for rows that have no key yet. If a key were taken, the INSERT would fail. */
    private static void insert(String table, ResultSet row, Connection to) throws SQLException {
        ResultSetMetaData metaData = row.getMetaData();
        int count = metaData.getColumnCount();
        StringBuilder names = new StringBuilder(metaData.getColumnName(1));
        for (int column = 2; column <= count; column++) {
            names.append(", ").append(metaData.getColumnName(column));
        }
        String values = Collections.nCopies(count, "?").stream().collect(Collectors.joining(", "));
        try (PreparedStatement insert =
                to.prepareStatement("INSERT INTO " + table + " (" + names + ") VALUES (" + values + ")")) {
            while (row.next()) {
                for (int column = 1; column <= count; column++) {
                    insert.setObject(column, row.getObject(column));
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private void delete(int shard, long user) {
        shards.get(shard)
                .runInTransaction(entities -> entities.<Connection>runWithConnection(connection -> {
                    for (int i = ALL.size() - 1; i >= 0; i--) {
                        Rows rows = ALL.get(i);
                        try (PreparedStatement delete =
                                connection.prepareStatement("DELETE FROM " + rows.table + " WHERE " + rows.ofUser)) {
                            delete.setLong(1, user);
                            delete.executeUpdate();
                        }
                    }
                }));
    }
}
