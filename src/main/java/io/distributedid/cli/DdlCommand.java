package io.distributedid.cli;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the statements that create what the configured backends need. Connects to nobody. */
@Command(
        name = "ddl",
        description =
                "Print the statements that create the tables that the configured backends need. Connects to nobody.",
        footer = {"", "Example:", "  distributedid ddl --database mysql -D distributedid.backend=ticket"})
final class DdlCommand implements Callable<Integer> {

    private static final Pattern URL = Pattern.compile("jdbc:(mysql|mariadb|postgresql|h2):");

    private final SettingsOptions options;

    private final PrintWriter out;

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description = "Whose SQL: mysql, mariadb, postgresql or h2. Default: that of the URLs in the settings.")
    private @Nullable String database;

    DdlCommand(SettingsOptions options, PrintWriter out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public Integer call() {
        try (Configuration configuration = options.read()) {
            List<String> statements = DistributedIds.ddl(
                    configuration.settings(), database == null ? databaseOfUrls(configuration) : database);
            if (statements.isEmpty()) {
                out.println("-- No table is needed.");
            }
            statements.forEach(statement -> out.println(statement + ";"));
            return 0;
        }
    }

    private static String databaseOfUrls(Configuration configuration) {
        Set<String> found = new TreeSet<>();
        for (Object value : configuration.settings().values()) {
            Matcher url = URL.matcher(value.toString());
            while (url.find()) {
                found.add(url.group(1));
            }
        }
        if (found.size() != 1) {
            throw new IdConfigurationException("It must be clear whose SQL is wanted: the settings have URLs of "
                    + found + ", allowed: --database mysql, mariadb, postgresql, h2");
        }
        return found.iterator().next();
    }
}
