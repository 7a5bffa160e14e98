package io.distributedid.cli;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceCounters;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.registry.SequenceRegistry;
import io.distributedid.internal.settings.PersistenceProperties;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Moves a table of counters to other servers, or to another table. */
@Command(
        name = "move",
        description =
                "Move a ticket table or a sequence table, with all its sequences, to more, fewer or other servers, or to another table: from"
                        + " where the settings of --from lead to where those of --config lead. Looks at all servers"
                        + " before it changes one; all must answer. Clients with the old settings get no more ids:"
                        + " start them with the new ones. If the command fails, repeat it, or exchange the two files"
                        + " to undo it.",
        footer = {
            "",
            "The password of --database-user is read from DISTRIBUTEDID_DATABASE_PASSWORD in the environment,",
            "or from database.password in the file of --config. Arguments can be read from a file: @FILE.",
            "",
            "Example:",
            "  distributedid move photos --from old.properties --config new.properties \\",
            "    --database jdbc:mysql://s1/app --database-user app"
        })
final class MoveCommand extends SequenceCommand {

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "The settings that the applications have now. Needed without --lost.")
    private @Nullable Path from;

    @Option(
            names = "--lost",
            description =
                    "Instead of --from: a server of the list is lost for good, and another may stand in its place."
                            + " The table goes on above --above, the largest id in use. Stop all applications first: who still"
                            + " draws from the lost server gives the same ids.")
    private boolean isLost;

    @Option(
            names = "--above",
            paramLabel = "ID",
            description = "The largest id in use of the sequence, if a single old server has lost its counter, or with"
                    + " --lost.")
    private long above;

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "The JDBC URL of a database of the entities, which remembers where its ids come from: it"
                    + " learns the new place. Repeat it for all shards.")
    private List<String> urls = new ArrayList<>();

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

    @Option(names = "--dry-run", description = "Look at all servers, and say what is wrong. Change nothing.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Move without asking, in a script for example.")
    private boolean yes;

    @Override
    public Integer call() throws Exception {
        RepairCommand.requireId(above);
        Optional<String> namespace = SequenceRegistry.namespace(schema);
        CommandSettings settings = options().read();
        if (isLost != (from == null) || (isLost && above == 0)) {
            throw new IdConfigurationException("A move needs to know where the ids come from: --from=" + from
                    + " --lost=" + isLost + " --above=" + above + ", allowed: --from=FILE, or --lost with --above=ID");
        }
        CommandSettings old = from == null ? settings : options().readOld(from);
        requireSameApplication(old, settings);
        Properties credentials = JdbcUrl.credentials(
                user, settings.text(AdoptCommand.DATABASE_PASSWORD).orElse(null));
        List<EntityDatabase> databases = new ArrayList<>();
        try (DistributedIds ids = settings.open()) {
            for (String url : urls) {
                JdbcUrl database = new JdbcUrl(url, credentials);
                databases.add(EntityDatabase.connect(database, namespace, sequence));
            }
            Set<String> tokens = new TreeSet<>();
            databases.forEach(each -> each.read().ifPresent(tokens::add));
            move(ids, old.values(), databases, tokens);
            return 0;
        } finally {
            for (EntityDatabase database : databases) {
                database.close();
            }
        }
    }

    /** Both places may be in the database of the application, which is one. */
    private void requireSameApplication(CommandSettings old, CommandSettings now) {
        Optional<String> before = new PersistenceProperties(old.values()).url().map(JdbcUrl::label);
        Optional<String> after = new PersistenceProperties(now.values()).url().map(JdbcUrl::label);
        if (before.isPresent() && !before.equals(after)) {
            throw new IdConfigurationException("The settings of --from and --config must name one database of the"
                    + " application: --from=" + from + " " + before.get() + ", --config "
                    + after.orElse("none")
                    + ". If the table lies in another one, name that: distributedid.sequence_table.servers");
        }
    }

    /**
     * A command that was cut off may have told some databases only: then each place that one remembers is compared,
     * before anything is changed.
     */
    private void move(DistributedIds ids, Map<String, Object> old, List<EntityDatabase> databases, Set<String> tokens) {
        String first = tokens.stream().findFirst().orElse("");
        for (String token : tokens) {
            if (!token.equals(first)) {
                SequenceCounters unused = look(ids, old, token);
            }
        }
        if (dryRun) {
            CounterReport.print(look(ids, old, first).lastIds(), out());
            out().println("Dry run: nothing was changed.");
            return;
        }
        databases.forEach(EntityDatabase::prepare);
        CounterMove move = new CounterMove(
                old,
                above,
                isLost,
                first,
                false,
                this::confirm,
                next -> databases.forEach(each -> each.replace(tokens, next)));
        CounterReport.print(ids.move(sequence, move).lastIds(), out());
        out().println("The table of " + sequence + (isLost ? " goes on" : " was moved") + ", with all its sequences."
                + " Start the applications with the new settings.");
    }

    private SequenceCounters look(DistributedIds ids, Map<String, Object> old, String token) {
        return ids.move(sequence, new CounterMove(old, above, isLost, token, true, highest -> {}, next -> {}));
    }

    /** Throws unless the operator agrees: clients with the old settings get no more ids. */
    private void confirm(long highest) {
        if (yes) {
            return;
        }
        String what = (isLost
                        ? "All applications must be stopped: who still draws from the lost server gives the same ids."
                        : "This move ends the old place: clients with its settings get no more ids.")
                + " Counters may be raised to above " + highest + ".";
        String answer = ask(what + " Move? (y/N) ")
                .orElseThrow(() -> new IdConfigurationException(
                        what + " It was not done: there is no terminal to ask at. Run it at one, or add --yes"));
        if (!answer.strip().equalsIgnoreCase("y")) {
            throw new IdConfigurationException(
                    "Nothing was changed: SEQ=" + sequence + ", answer=" + answer.strip() + ", allowed: y to move");
        }
    }
}
