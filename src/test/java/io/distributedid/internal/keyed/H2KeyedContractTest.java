package io.distributedid.internal.keyed;

import io.distributedid.testkit.KeyedContract;
import java.util.Map;

class H2KeyedContractTest extends KeyedContract {

    @Override
    protected String url(String name) {
        return "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
    }

    @Override
    protected Map<String, String> refusedTables() {
        String table = "CREATE TABLE keyed_sequence (name VARCHAR(%s), key_text %s, number %s NOT NULL,"
                + " PRIMARY KEY (name, key_text))";
        return Map.of(
                table.formatted("50", "VARCHAR_IGNORECASE(150)", "BIGINT"),
                "Keys must be compared by all their characters",
                table.formatted("50", "VARCHAR(150)", "INT"),
                "The column number must have 64 bits",
                table.formatted("50", "VARCHAR(149)", "BIGINT"),
                "key_text=CHARACTER VARYING(149), allowed: 150 characters or more. Change the type of the column to"
                        + " VARCHAR_CASESENSITIVE(150)",
                table.formatted("49", "VARCHAR(150)", "BIGINT"),
                "The column name is too short: table=keyed_sequence");
    }
}
