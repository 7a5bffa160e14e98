package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.Numbering;
import io.distributedid.spi.DatabaseProduct;

/** How a sequence table and its rows are created. */
final class SequenceTableSql {

    private SequenceTableSql() {}

    static String ddl(DatabaseProduct product, String table) {
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        return "CREATE TABLE IF NOT EXISTS " + table + " (name VARCHAR(50) NOT NULL PRIMARY KEY, id "
                + (isMySql ? "BIGINT UNSIGNED" : "BIGINT") + " NOT NULL DEFAULT 0)" + (isMySql ? " ENGINE=InnoDB" : "");
    }

    /**
     * Creates counters, or raises them above what they hold to the next number of this server. Takes name and id of
     * each. A number at the end of the column stays.
     */
    static String raise(CounterTable table, int rows) {
        Numbering numbering = table.numbering();
        long step = numbering.increment();
        String insert = "INSERT INTO " + table.name() + " AS s (name, id) VALUES (?, ?)" + ", (?, ?)".repeat(rows - 1);
        String id = "s.id + CASE WHEN s.id > " + (Long.MAX_VALUE - step) + " THEN 0 ELSE MOD("
                + (step + numbering.offset()) + " - MOD(s.id, " + step + "), " + step + ") END)";
        return switch (table.product()) {
            case MYSQL, MARIADB ->
                insert.replace(" AS s ", " ") + " ON DUPLICATE KEY UPDATE id = GREATEST(VALUES(id), "
                        + id.replace("s.id", "id");
            case POSTGRESQL -> insert + " ON CONFLICT (name) DO UPDATE SET id = GREATEST(excluded.id, " + id;
            case H2 ->
                "MERGE INTO " + table.name() + " s USING (VALUES (CAST(? AS VARCHAR), CAST(? AS BIGINT))"
                        + ", (?, ?)".repeat(rows - 1) + ") v (name, id) ON s.name = v.name WHEN MATCHED THEN UPDATE"
                        + " SET id = GREATEST(v.id, " + id
                        + " WHEN NOT MATCHED THEN INSERT (name, id) VALUES (v.name, v.id)";
        };
    }
}
