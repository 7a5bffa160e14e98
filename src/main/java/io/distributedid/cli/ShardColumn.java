package io.distributedid.cli;

import io.distributedid.internal.jdbc.JdbcUrl;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A column of ids on all shards. */
final class ShardColumn {

    /** A setting of the tool only; the library ignores it. */
    static final String PASSWORD = "shard.password";

    @Option(
            names = "--table",
            paramLabel = "NAME",
            required = true,
            description = "A table with ids of the sequence, as in SQL.")
    String table = "";

    @Option(names = "--column", paramLabel = "NAME", required = true, description = "Its column of ids, as in SQL.")
    private String column = "";

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

    ShardMaximum maximum(CommandSettings settings) {
        return new ShardMaximum(
                shards, JdbcUrl.credentials(user, settings.text(PASSWORD).orElse(null)), table, column);
    }
}
