package io.distributedid.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A column of ids on all shards. */
final class ShardColumn {

    @Option(
            names = "--table",
            paramLabel = "NAME",
            required = true,
            description = "A table with ids of the sequence, as in SQL.")
    String table = "";

    @Option(names = "--column", paramLabel = "NAME", required = true, description = "Its column of ids, as in SQL.")
    String column = "";

    @Option(
            names = "--shard",
            paramLabel = "URL",
            required = true,
            description = "The JDBC URL of a database with the table. Repeat it for all of them.")
    private List<String> shards = new ArrayList<>();

    @Option(
            names = "--shard-user",
            paramLabel = "NAME",
            description = "The user for the shards, unless the URL names one.")
    private @Nullable String user;

    /** The tables of this name. */
    ShardTables tables(@Nullable String password) {
        return new ShardTables(shards, user, password);
    }
}
