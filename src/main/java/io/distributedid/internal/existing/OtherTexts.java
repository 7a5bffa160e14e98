package io.distributedid.internal.existing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Finds the largest id in a text column of an unknown database, which may lack regular expressions. The longest texts
 * come first, so that the first id found is the largest:
 *
 * <pre>
 * SELECT id FROM photo WHERE {fn LENGTH({fn RTRIM(id)})} &lt;= 19 ORDER BY {fn LENGTH({fn RTRIM(id)})} DESC, id DESC
 * </pre>
 */
final class OtherTexts {

    /** The search gives up after this number of texts. */
    private static final int MOST = 1000;

    private OtherTexts() {}

    /** Empty if no text is an id. */
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
