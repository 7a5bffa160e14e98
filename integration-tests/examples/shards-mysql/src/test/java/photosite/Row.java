package photosite;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A row as it is in a database, of the users asked for.
 *
 * @param shard which one
 * @param id its key
 * @param owner the user that it belongs to
 * @param content its title, or the photo of a comment
 */
record Row(int shard, long id, long owner, String content) {

    static List<Row> users(Servers servers, List<Long> users) throws SQLException {
        return all(servers, users, "SELECT id, id, name FROM users");
    }

    static List<Row> photos(Servers servers, List<Long> users) throws SQLException {
        return all(servers, users, "SELECT id, user_id, title FROM photos");
    }

    static List<Row> comments(Servers servers, List<Long> users) throws SQLException {
        return all(servers, users, "SELECT c.id, p.user_id, p.id FROM comments c JOIN photos p ON p.id = c.photo_id");
    }

    /** What the directory says: the shard of each user. */
    static List<Row> homes(Servers servers) throws SQLException {
        try (Connection connection = servers.connectToDirectory();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT userId, shard FROM homes")) {
            List<Row> rows = new ArrayList<>();
            while (found.next()) {
                rows.add(new Row(found.getInt(2), found.getLong(1), found.getLong(1), ""));
            }
            return rows;
        }
    }

    private static List<Row> all(Servers servers, List<Long> users, String sql) throws SQLException {
        List<Row> rows = new ArrayList<>();
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            try (Connection connection = servers.connectToShard(shard);
                    Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery(sql)) {
                while (found.next()) {
                    Row row = new Row(shard, found.getLong(1), found.getLong(2), found.getString(3));
                    if (users.contains(row.owner)) {
                        rows.add(row);
                    }
                }
            }
        }
        return rows;
    }
}
