package io.distributedid.mysql;

import io.distributedid.testkit.KeyedContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.Map;

@Needs(Need.MYSQL)
class KeyedTest extends KeyedContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }

    @Override
    protected Map<String, String> refusedTables() {
        String columns = "CREATE TABLE keyed_sequence (name VARCHAR(50), key_text VARCHAR(150), number ";
        String key = " NOT NULL, PRIMARY KEY (name, key_text)) CHARACTER SET utf8mb4 COLLATE ";
        return Map.of(
                columns + "BIGINT" + key + "utf8mb4_general_ci",
                "Keys must be compared by all their characters",
                columns + "BIGINT" + key + "utf8mb4_bin ENGINE=MyISAM",
                "engine=MyISAM, allowed: engine=InnoDB. Recreate it: CREATE TABLE",
                columns + "INT" + key + "utf8mb4_bin",
                "The column number must have 64 bits",
                columns.replace("150", "20") + "BIGINT" + key + "utf8mb4_bin",
                "key_text=VARCHAR(20), allowed: 150 characters or more",
                (columns + "BIGINT" + key).replace("utf8mb4", "latin1") + "latin1_bin",
                "The column key_text must be able to store all characters",
                columns + "BIGINT) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                "A key must have one row");
    }
}
