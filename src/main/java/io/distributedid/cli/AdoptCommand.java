package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.BoundedConnect;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcUrl;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Moves a sequence to the place that the settings name, in this order: open the new place, connect to the databases of
 * the entities, retire the old place, raise the new one, write the token into the databases. A failure before the old
 * place is retired has changed nothing. After a later failure, the operator repeats the command.
 */
@Command(
        name = "adopt",
        description =
                "Let the databases of the entities take the ids of a sequence from the place that the settings name"
                        + " now: after a change of its servers, schema or table, or in a restored copy. Each database"
                        + " remembers where its ids come from, and the start of an application refuses another place.",
        footer = {
            "",
            "The password of --database-user is read from DISTRIBUTEDID_DATABASE_PASSWORD in the environment,",
            "or from database.password in the file of --config. Arguments can be read from a file: @FILE.",
            "",
            "Example:",
            "  distributedid adopt photos --retire old.properties --database jdbc:mysql://s1/app \\",
            "    --database jdbc:mysql://s2/app --database-user app --config ids.properties"
        })
final class AdoptCommand extends SequenceCommand {

    /** A setting of the tool only; the library ignores it. */
    static final String DATABASE_PASSWORD = "database.password";

    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    @Option(
            names = "--database",
            paramLabel = "URL",
            required = true,
            description = "The JDBC URL of a database of the entities. Repeat it for all shards.")
    private List<String> databases = new ArrayList<>();

    @Option(
            names = "--database-user",
            paramLabel = "NAME",
            description = "The user for the databases, unless the URL names one.")
    private @Nullable String user;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "The schema of their tables (hibernate.default_schema). Default: that of the connection.")
    private String schema = "";

    @Option(
            names = "--retire",
            paramLabel = "FILE",
            description = "The old settings: retire that place first, and raise the new one above its last ids.")
    private @Nullable Path old;

    @Option(names = "--above", paramLabel = "ID", description = "The largest id in use, if the old place is gone.")
    private long above;

    @Override
    public Integer call() throws Exception {
        RepairCommand.requireId(above);
        CommandSettings settings = options().read().readOnly();
        Properties credentials =
                JdbcUrl.credentials(user, settings.text(DATABASE_PASSWORD).orElse(null));
        List<Connection> connections = new ArrayList<>();
        try (DistributedIds ids = settings.open()) {
            String token = ids.token(sequence)
                    .orElseThrow(() -> new IdConfigurationException(
                            "Only a sequence that counts, on servers that keep a record of it, can be adopted: SEQ="
                                    + sequence
                                    + ", allowed: sequences of ticket servers or of a sequence table, or whose worker"
                                    + " numbers are leased"));
            for (String url : databases) {
                connections.add(connect(new JdbcUrl(url, credentials, ANSWER_TIMEOUT)));
            }
            adopt(ids, token, connections);
            return 0;
        } finally {
            close(connections);
        }
    }

    private void adopt(DistributedIds ids, String token, List<Connection> connections) {
        Map<String, String> before = CounterReport.last(ids, sequence);
        if (before.isEmpty() && above > 0) {
            throw new IdConfigurationException("Only a counter can be raised: SEQ=" + sequence + " --above=" + above
                    + ", but its ids come from none. Leave out --above");
        }
        long last = old == null ? above : Math.max(above, retire(old, token));
        if (last > 0) {
            ids.raiseAbove(sequence, last);
            CounterReport.print(before, CounterReport.last(ids, sequence), out());
            out().println("All ids of " + sequence + " from now on lie above " + last + ".");
            out().println();
        }
        TextTable adopted = new TextTable("DATABASE", "TOKEN");
        for (int i = 0; i < connections.size(); i++) {
            String label = JdbcUrl.label(databases.get(i));
            try {
                ids.adopt(sequence, connections.get(i), schema);
            } catch (SQLException e) {
                throw new IdUnavailableException(
                        "A database of the entities failed: " + label + " said: " + FailureText.of(e)
                                + ". Repeat the command",
                        e);
            }
            adopted.add(label, token);
        }
        adopted.print(out());
        out().println("Applications with the settings of now can be started.");
    }

    /** Returns an upper bound of the ids that the old place gave. */
    private long retire(Path file, String token) {
        try (DistributedIds ids = options().readOld(file).readOnly().open()) {
            requireOther(ids.check(sequence), token);
            Map<String, Long> last = ids.retire(sequence).lastIds();
            TextTable retired = new TextTable("RETIRED", "LAST ID");
            new TreeMap<>(last).forEach((server, id) -> retired.add(server, Long.toString(id)));
            retired.print(out());
            out().println();
            return CounterReport.highest(last);
        }
    }

    /** Protects against retiring the new place, which can't be undone. */
    private void requireOther(List<CheckResult> results, String token) {
        for (CheckResult result : results) {
            if (result.what().equals("record") && result.detail().contains("token=" + token)) {
                throw new IdConfigurationException(
                        "The old place and the new one are the same, or one is a copy of the other: "
                                + result.server() + " token=" + token + ", --retire=" + old
                                + ". Name the settings of the other place; for a copy, retire the old one first"
                                + " (distributedid retire "
                                + sequence + "), and then repair the new one (distributedid repair " + sequence
                                + " --above ID)");
            }
        }
    }

    private static Connection connect(JdbcUrl database) throws InterruptedException {
        try {
            return BoundedConnect.obtain(database, UrlDataSource.CONNECT_TIMEOUT);
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "A database of the entities does not answer: " + database.label() + " said: " + FailureText.of(e),
                    e);
        }
    }

    private static void close(List<Connection> connections) throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
