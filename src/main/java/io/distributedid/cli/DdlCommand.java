package io.distributedid.cli;

import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the SQL that creates the tables of the configured backends. Does not connect to any server. */
@Command(
        name = "ddl",
        description = {"Print the statements that create the tables that the settings need. Connects to no server."},
        footer = {"", "Example:", "  distributedid ddl --database mysql -D distributedid.backend=ticket"})
final class DdlCommand extends IdCommand {

    private static final Pattern URL = Pattern.compile("jdbc:(mysql|mariadb|postgresql|h2):");

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description = "The SQL dialect: mysql, mariadb, postgresql or h2. Default: that of the URLs in the"
                    + " settings.")
    private @Nullable String database;

    @Override
    public Integer call() {
        Map<String, Object> settings = options().read().values();
        List<String> statements = IdAdmin.ddl(settings, database == null ? databaseOfUrls(settings) : database);
        if (statements.isEmpty()) {
            out().println("-- No table is needed.");
        }
        statements.forEach(statement -> out().println(statement + ";"));
        return 0;
    }

    private static String databaseOfUrls(Map<String, Object> settings) {
        Set<String> found = new TreeSet<>();
        for (Object value : settings.values()) {
            Matcher url = URL.matcher(value.toString());
            while (url.find()) {
                found.add(url.group(1));
            }
        }
        if (found.size() != 1) {
            throw new IdConfigurationException("The SQL dialect must be clear: the settings have URLs of " + found
                    + ", allowed: --database mysql, mariadb, postgresql, h2");
        }
        return found.iterator().next();
    }
}
