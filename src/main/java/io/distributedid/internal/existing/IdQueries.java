package io.distributedid.internal.existing;

import io.distributedid.spi.DatabaseProduct;
import java.util.Optional;

/**
 * The SQL that finds the largest ids of a column. For numbers:
 *
 * <pre>
 * SELECT MAX(id) FROM photo;
 * SELECT MAX(id) FROM photo WHERE id &gt; 4990000 AND id &lt;= 5000000 GROUP BY MOD(id, 3)
 * </pre>
 *
 * An index does not sort unpadded texts like numbers, so that all of them are read, here on MySQL:
 *
 * <pre>
 * SELECT MAX(id) FROM (SELECT
 *     CASE WHEN TRIM(TRAILING FROM id) REGEXP '^[1-9][0-9]*$' AND CHAR_LENGTH(...) &lt; 19 OR ...
 *     THEN CAST(TRIM(TRAILING FROM id) AS DECIMAL(19)) END AS id FROM photo) texts
 * </pre>
 *
 * Padded texts sort like numbers, in every collation. With an index the first match is the largest id:
 *
 * <pre>
 * SELECT CAST(TRIM(TRAILING FROM id) AS DECIMAL(19)) FROM photo WHERE id &lt;= '9223372036854775807'
 *     AND TRIM(TRAILING FROM id) REGEXP '^[0-9]+$' AND ... ORDER BY id DESC LIMIT 1 OFFSET 0
 * </pre>
 *
 * <p>Each query is without its SELECT, so that several can be read together.
 *
 * @param largest the query of the largest id
 * @param number the SQL expression of the id as a number
 * @param from the FROM and WHERE clauses, to which a range is appended
 * @param column the column that a range limits
 * @param quote around the ends of a range
 */
record IdQueries(String largest, String number, String from, String column, String quote) {

    static IdQueries ofNumbers(String table, String column) {
        return new IdQueries("MAX(" + column + ") FROM " + table, column, " FROM " + table + " WHERE ", column, "");
    }

    static IdQueries ofTexts(String table, String column, IdForm form, DatabaseProduct product) {
        String text = "TRIM(TRAILING FROM " + column + ")";
        String number = "CAST(" + text + " AS DECIMAL(" + IdForm.DIGITS + "))";
        String condition = form.condition(text, product);
        if (form != IdForm.PADDED) {
            return ofNumbers(
                    "(SELECT CASE WHEN " + condition + " THEN " + number + " END AS id FROM " + table + ") texts",
                    "id");
        }
        return new IdQueries(
                number + " FROM " + table + " WHERE " + column + " <= '" + IdForm.LARGEST + "' AND " + condition
                        + " ORDER BY " + column + " DESC" + oneRow(0, Optional.of(product)),
                number,
                " FROM " + table + " WHERE " + condition + " AND ",
                column,
                "'");
    }

    /** The end of a query for one row. Of these databases, MySQL alone does not know the standard's form. */
    static String oneRow(int skipped, Optional<DatabaseProduct> product) {
        boolean isMySql = product.filter(known -> known == DatabaseProduct.MYSQL || known == DatabaseProduct.MARIADB)
                .isPresent();
        return isMySql ? " LIMIT 1 OFFSET " + skipped : " OFFSET " + skipped + " ROWS FETCH FIRST 1 ROWS ONLY";
    }

    /** The largest id of each remainder in the range above {@code above} up to {@code until}. */
    String ofEachRemainder(long step, long above, long until) {
        return "MAX(" + number + ")" + from + column + " > " + end(above) + " AND " + column + " <= " + end(until)
                + " GROUP BY MOD(" + number + ", " + step + ")";
    }

    private String end(long id) {
        String digits = Long.toString(id);
        return quote.isEmpty() ? digits : quote + "0".repeat(IdForm.DIGITS - digits.length()) + digits + quote;
    }
}
