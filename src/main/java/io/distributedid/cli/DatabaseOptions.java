package io.distributedid.cli;

import io.distributedid.internal.jdbc.JdbcUrl;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The databases of the entities. */
class DatabaseOptions {

    /** A setting of the tool only; the library ignores it. */
    static final String PASSWORD = "database.password";

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "The JDBC URL of a database of the entities. Repeat it for all shards; arguments can be read"
                    + " from a file: @FILE.")
    private List<String> urls = new ArrayList<>();

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "The user for the databases, unless the URL names one. The password is read from"
                    + " DISTRIBUTEDID_DATABASE_PASSWORD in the environment, or from database.password in the file of"
                    + " --config.")
    private @Nullable String user;

    List<JdbcUrl> databases(CommandSettings settings) {
        String password = settings.text(PASSWORD).orElse(null);
        return urls.stream()
                .map(url -> new JdbcUrl(url, JdbcUrl.credentials(user, password)))
                .toList();
    }
}
