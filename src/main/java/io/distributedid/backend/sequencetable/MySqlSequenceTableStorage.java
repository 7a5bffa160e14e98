package io.distributedid.backend.sequencetable;

import io.distributedid.internal.jdbc.MySqlTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * MySQL and MariaDB: the engine must be InnoDB. MEMORY is empty after a restart, and MyISAM and Aria lose rows in a
 * crash. A DECIMAL is refused: without strict mode, {@code LAST_INSERT_ID(id + n)} of a DECIMAL gives 2^63-1 again and
 * again.
 */
final class MySqlSequenceTableStorage implements SequenceTableStorage {

    private static final Set<String> NO_ENGINES = Set.of("TEMPORARY", "VIEW", "SEQUENCE", "SYSTEM VIEW");

    @Override
    public Found read(Connection connection, String table) throws SQLException {
        MySqlTable found = MySqlTable.read(connection, table);
        Verdict other = NO_ENGINES.contains(found.engine()) ? Verdict.NO_TABLE : Verdict.VOLATILE;
        return new Found(
                "engine=" + found.engine() + ", allowed: InnoDB",
                found.engine().equalsIgnoreCase("InnoDB") ? Verdict.DURABLE : other,
                found.uniqueKeys().contains(List.of("name")));
    }

    @Override
    public String makeDurable(String table) {
        return "ALTER TABLE " + table + " ENGINE=InnoDB";
    }

    @Override
    public String idTypes() {
        return "BIGINT UNSIGNED, BIGINT";
    }

    @Override
    public boolean decimalsAreExact() {
        return false;
    }

    @Override
    public String widen(String table) {
        return "ALTER TABLE " + table + " MODIFY id BIGINT UNSIGNED NOT NULL DEFAULT 0";
    }
}
