package io.distributedid.cli;

import io.distributedid.CounterMove.Kind;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.registry.SequenceRegistry;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.PersistenceProperties;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves counters to other servers, to another table or backend; or ends them, or lets them begin anew. */
@Command(
        name = "move",
        description = {
            "Move the counter of a sequence, with all others of its table, to another place; or end it.",
            "It moves from the place in the settings of --from to that in those of --config: to other servers, to"
                    + " another table, or to another backend. Checks all servers before it changes any; all must"
                    + " answer. Clients with the old settings get no more ids: start them with the new settings. Leased"
                    + " worker numbers move in the same way; stop their processes first. If the command fails, repeat"
                    + " it, or, within one backend, exchange the two files to undo it."
        },
        footer = {
            "",
            "Example:",
            "  distributedid move photos --from old.properties --config new.properties \\",
            "    --database jdbc:mysql://s1/app --user app"
        })
final class MoveCommand extends CounterCommand {

    @Parameters(paramLabel = "SEQ", description = "The sequence.")
    private String sequence = "";

    @ArgGroup(multiplicity = "1")
    private What what = new What();

    /** What becomes of the counter. */
    static final class What {

        @Option(
                names = "--from",
                paramLabel = "FILE",
                description = "The settings that the applications have now. Repeat it to merge several counters: the"
                        + " others end, and the new place goes on above all of them.")
        private List<Path> from = new ArrayList<>();

        @Option(
                names = "--lost",
                description = "A server of the list is lost for good, and another may stand in its place. The table"
                        + " goes on above --above, the largest id in use. Stop all applications first: any that still"
                        + " draws from the lost server issues the same ids.")
        private boolean isLost;

        @Option(
                names = "--new-space",
                description = "The servers are a copy of others (a restored backup, a staging system). They count on"
                        + " their own from now on, above --above, the largest id in use there.")
        private boolean isNewSpace;

        @Option(names = "--end", description = "The counter ends: its servers issue no more ids. This can't be undone.")
        private boolean isEnd;

        Kind kind() {
            return !from.isEmpty() ? Kind.PLACE : isLost ? Kind.LOST : isNewSpace ? Kind.NEW_SPACE : Kind.END;
        }
    }

    @Option(
            names = "--above",
            paramLabel = "ID",
            description = "The largest id in use of the sequence, if a single old server has lost its counter, or with"
                    + " --lost and --new-space.")
    private long above;

    @Mixin
    private DatabaseOptions entities = new DatabaseOptions();

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "The schema of their tables (hibernate.default_schema). Default: that of the connection.")
    private String schema = "";

    @Override
    public Integer call() {
        Optional<String> namespace = SequenceRegistry.namespace(schema);
        CommandSettings settings = options().read();
        List<CommandSettings> places =
                what.from.stream().map(file -> old(file, settings)).toList();
        List<JdbcUrl> told = entities.databases(settings);
        requireTold(told, settings);
        // Whether the other sequences of the table move along.
        Optional<String> backend = backend(settings, sequence);
        boolean isTable =
                places.stream().allMatch(each -> backend(each, sequence).equals(backend));
        try (DistributedIds ids = settings.open()) {
            List<EntityDatabase> databases = told.stream()
                    .map(each -> new EntityDatabase(each, namespace, ids.admin().idSpace(sequence)))
                    .toList();
            Set<String> tokens = new TreeSet<>();
            databases.forEach(each -> each.read().ifPresent(tokens::add));
            if (!dryRun) {
                databases.forEach(EntityDatabase::prepare);
            }
            Realigned done = realign(
                    ids,
                    sequence,
                    what.kind(),
                    places,
                    above,
                    tokens,
                    next -> databases.forEach(each -> each.replace(
                            tokens,
                            next,
                            other -> isTable && backend(settings, other).equals(backend))));
            result(
                    sequence,
                    done.above(),
                    done.found().lastIds(),
                    what.isEnd ? ended(done.above()) : moved(done.above(), isTable),
                    Map.of());
            return 0;
        }
    }

    /** A database that is not told refuses the next start of its applications. */
    private void requireTold(List<JdbcUrl> told, CommandSettings settings) {
        if (told.isEmpty() && !what.isEnd) {
            ownDatabase(settings).ifPresent(own -> {
                throw new IdConfigurationException(
                        "Each database of the entities must learn of the move: --database=none,"
                                + " allowed: --database " + own + ", and those of all shards");
            });
        }
    }

    private static Optional<String> ownDatabase(CommandSettings settings) {
        return new PersistenceProperties(settings.values()).url().map(JdbcUrl::label);
    }

    private static Optional<String> backend(CommandSettings settings, String of) {
        return settings.settings().forSequence(of).find(CoreSettings.BACKEND);
    }

    /** Settings of now. Both places may be in the database of the application, which is one. */
    private CommandSettings old(Path file, CommandSettings settings) {
        CommandSettings old = options().readOld(file).readOnly();
        Optional<String> before = ownDatabase(old);
        Optional<String> after = ownDatabase(settings);
        if (before.isPresent() && !before.equals(after)) {
            throw new IdConfigurationException("The settings of --from and --config must name the same database of the"
                    + " application: --from=" + file + " " + before.get() + ", --config "
                    + after.orElse("none")
                    + ". If the table lies in another database, name it in distributedid.sequence_table.servers");
        }
        return old;
    }

    private String ended(long last) {
        return "The counter of " + sequence + " has ended, as have all others of its table. Its ids lie at or below "
                + last + ".";
    }

    private String moved(long last, boolean isTable) {
        return "The ids of " + sequence + " go on" + (last > 0 ? " above " + last : "") + ". "
                + (isTable
                        ? "So do all others of its table."
                        : "The other counters of its table have ended: move each of them too.")
                + " Start the applications with the new settings.";
    }
}
