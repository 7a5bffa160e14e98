package io.distributedid.internal.existing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The largest id in a text column of a database whose SQL we don't know, which may have no regular expressions. The
 * longest texts come first, and the first that is an id is the largest:
 *
 * <pre>
 * SELECT id FROM photo WHERE {fn LENGTH({fn RTRIM(id)})} &lt;= 19 ORDER BY {fn LENGTH({fn RTRIM(id)})} DESC, id DESC
 * </pre>
 */
final class OtherTexts {

    /** Texts that are no ids, before the search ends. */
    private static final int MOST = 1000;

    private OtherTexts() {}

    /** None if no text is an id. */
    static List<Long> largest(Connection connection, String table, String column, IdForm form) throws SQLException {
        String length = "{fn LENGTH({fn RTRIM(" + column + ")})}";
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(MOST);
            try (ResultSet row = statement.executeQuery("SELECT " + column + " FROM " + table + " WHERE " + length
                    + " <= " + IdForm.DIGITS + " ORDER BY " + length + " DESC, " + column + " DESC")) {
                int rows = 0;
                while (row.next()) {
                    rows++;
                    String text = row.getString(1).stripTrailing();
                    if (form.matches(text)) {
                        return List.of(Long.parseLong(text));
                    }
                }
                if (rows == MOST) {
                    throw new NotComparedException("the " + MOST + " longest texts are no ids", false);
                }
            }
        }
        return List.of();
    }
}
