package io.distributedid.internal.keyed.owner;

import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.spi.DatabaseProduct;
import java.util.Collections;

/**
 * The SQL of the table that holds sections, here on MySQL:
 *
 * <pre>
 * SELECT section, owner, token, lease_nanos, max_number FROM keyed_section WHERE name = 'messages';
 * INSERT INTO keyed_section (name, section, owner, token, lease_nanos, max_number) VALUES (...), (...);
 * UPDATE keyed_section SET owner = ..., lease_nanos = ...,
 *     max_number = CASE section WHEN 0 THEN ... WHEN 7 THEN ... END,
 *     token = CASE section WHEN 0 THEN ... WHEN 7 THEN ... END
 *     WHERE name = 'messages' AND section IN (0, 7)
 *     AND token = CASE section WHEN 0 THEN ... WHEN 7 THEN ... END;
 * </pre>
 *
 * <p>The UPDATE replaces many rows, each if it has the expected token, which no other row of its section ever had. If
 * it counts as many rows as it names, all were replaced. If not, the next SELECT tells which ones were. {@code token}
 * comes last: MySQL uses the new values of columns that it has assigned before.
 *
 * @param table in SQL
 */
record SectionSql(DatabaseProduct product, String table) {

    static final int OWNER_LENGTH = 200;

    String ddl() {
        return "CREATE TABLE IF NOT EXISTS " + table + " (name " + text(50) + " NOT NULL, section INT NOT NULL, owner "
                + text(OWNER_LENGTH) + " NOT NULL, token " + text(40)
                + " NOT NULL, lease_nanos BIGINT NOT NULL, max_number BIGINT NOT NULL, PRIMARY KEY (name, section))"
                + switch (product) {
                    case MYSQL, MARIADB -> " ENGINE=InnoDB";
                    case POSTGRESQL, H2 -> "";
                };
    }

    private String text(int length) {
        return StoredText.type(product, length);
    }

    String probe() {
        return "SELECT name, section, owner, token, lease_nanos, max_number FROM " + table + " WHERE 1 = 0";
    }

    String select() {
        return "SELECT section, owner, token, lease_nanos, max_number FROM " + table + " WHERE name = ?";
    }

    String insert(int rows) {
        return "INSERT INTO " + table + " (name, section, owner, token, lease_nanos, max_number) VALUES "
                + repeated("(?, ?, ?, ?, ?, ?)", ", ", rows);
    }

    /** Takes owner, lease; section and max of each; section and next token; name; sections; section and token. */
    String update(int rows) {
        String cases = "CASE section " + repeated("WHEN ? THEN ?", " ", rows) + " END";
        return "UPDATE " + table + " SET owner = ?, lease_nanos = ?, max_number = " + cases + ", token = " + cases
                + " WHERE name = ? AND section IN (" + repeated("?", ", ", rows) + ") AND token = " + cases;
    }

    private static String repeated(String text, String separator, int times) {
        return String.join(separator, Collections.nCopies(times, text));
    }
}
