package io.distributedid.cli;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.registry.SequenceRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Moves a sequence to the place that the settings name, in this order: open the new place, connect to the databases of
 * the entities, look at the old places, compare what the databases remember with their tokens, retire the old places,
 * raise the new one, write its token into the databases. A failure before an old place is retired has changed nothing.
 * After a later failure, the operator repeats the command: a place that is retired keeps its token. A token is written
 * only in place of the one that was compared.
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
            "  distributedid adopt photos --above 4711 --database jdbc:mysql://s1/app \\",
            "    --database jdbc:mysql://s2/app --database-user app --config ids.properties"
        })
final class AdoptCommand extends SequenceCommand {

    /** A setting of the tool only; the library ignores it. */
    static final String DATABASE_PASSWORD = "database.password";

    @Option(
            names = "--database",
            paramLabel = "URL",
            required = true,
            description = "The JDBC URL of a database of the entities. Repeat it for all shards.")
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

    @Option(
            names = "--retire",
            paramLabel = "FILE",
            description =
                    "The old settings: retire that place first. Refused for every counter that this version knows: use"
                            + " distributedid move.")
    private List<Path> old = new ArrayList<>();

    @Option(names = "--above", paramLabel = "ID", description = "The largest id in use, if the old place is gone.")
    private long above;

    @Override
    public Integer call() throws Exception {
        RepairCommand.requireId(above);
        Optional<String> namespace = SequenceRegistry.namespace(schema);
        CommandSettings settings = options().read().readOnly();
        Properties credentials =
                JdbcUrl.credentials(user, settings.text(DATABASE_PASSWORD).orElse(null));
        List<EntityDatabase> databases = new ArrayList<>();
        List<OldPlace> places = new ArrayList<>();
        try (DistributedIds ids = settings.open()) {
            String token = ids.token(sequence)
                    .orElseThrow(() -> new IdConfigurationException(
                            "Only a sequence that counts, on servers that keep a record of it, can be adopted: SEQ="
                                    + sequence
                                    + ", allowed: sequences of ticket servers or of a sequence table, or whose worker"
                                    + " numbers are leased"));
            for (String url : urls) {
                JdbcUrl database = new JdbcUrl(url, credentials);
                databases.add(EntityDatabase.connect(database, namespace, ids.idSpace(sequence)));
            }
            for (Path file : old) {
                DistributedIds oldIds = options().readOld(file).readOnly().open();
                places.add(new OldPlace(file, sequence, oldIds));
            }
            Map<String, String> before = CounterReport.last(ids, sequence);
            requireRaisable(before);
            requireSafe(databases, places, token, isEmpty(before, settings));
            databases.forEach(EntityDatabase::prepare);
            raise(ids, before, Math.max(above, retire(places)));
            adopt(databases, token);
            return 0;
        } finally {
            places.forEach(OldPlace::close);
            databases.forEach(EntityDatabase::close);
        }
    }

    private void requireRaisable(Map<String, String> counters) {
        if (counters.isEmpty() && above > 0) {
            throw new IdConfigurationException("Only a counter can be raised: SEQ=" + sequence + " --above=" + above
                    + ", but its ids come from none. Leave out --above");
        }
    }

    /** Whether the place counts, and has given no id. */
    private boolean isEmpty(Map<String, String> counters, CommandSettings settings) {
        // Of several servers, each begins at its offset, and gives a larger id first.
        long first = Math.max(settings.start(sequence), counters.size() > 1 ? counters.size() + 1 : 0);
        return !counters.isEmpty() && counters.values().stream().allMatch(last -> CounterReport.id(last) < first);
    }

    /** Throws if a database takes its ids from a place that goes on, and whose ids the new place may give again. */
    private void requireSafe(List<EntityDatabase> databases, List<OldPlace> places, String token, boolean isEmpty) {
        Set<String> retired = new TreeSet<>();
        places.forEach(place -> retired.addAll(place.look(token)));
        for (EntityDatabase database : databases) {
            String known = database.read().orElse(token);
            if (known.equals(token) || retired.contains(known)) {
                continue;
            }
            if (!places.isEmpty()) {
                throw new IdConfigurationException(
                        "A database takes its ids from a place that is not retired: " + database + " seq=" + sequence
                                + " token=" + known + ", allowed: none, token=" + token + " (the new place)"
                                + retired.stream()
                                        .map(each -> ", token=" + each + " (--retire)")
                                        .collect(Collectors.joining())
                                + ". The new place would give its ids again. Retire that place, too: distributedid"
                                + " adopt " + sequence + " --retire FILE --retire FILE; if it is gone, or the database"
                                + " is a copy: distributedid adopt " + sequence
                                + " --above <the largest id in use> --database URL");
            }
            if (isEmpty && above == 0) {
                throw new IdConfigurationException(
                        "A place that has given no id must begin above those in use: " + database
                                + " holds ids of token=" + known + ", but seq=" + sequence + " token=" + token
                                + " is empty. Add --above <the largest id in use>; or --retire with the old settings");
            }
        }
    }

    /** Returns an upper bound of the ids that the old places gave; 0 if there are none. */
    private long retire(List<OldPlace> places) {
        long highest = 0;
        for (OldPlace place : places) {
            Map<String, Long> last = place.retire();
            TextTable retired = new TextTable("RETIRED", "LAST ID");
            new TreeMap<>(last).forEach((server, id) -> retired.add(server, Long.toString(id)));
            retired.print(out());
            out().println();
            highest = Math.max(highest, CounterReport.highest(last));
        }
        return highest;
    }

    private void raise(DistributedIds ids, Map<String, String> before, long last) {
        if (last > 0) {
            ids.raiseAbove(sequence, last);
            CounterReport.print(before, CounterReport.last(ids, sequence), out());
            out().println("All ids of " + sequence + " from now on lie above " + last + ".");
            out().println();
        }
    }

    private void adopt(List<EntityDatabase> databases, String token) {
        TextTable adopted = new TextTable("DATABASE", "TOKEN");
        databases.forEach(database -> {
            database.adopt(token);
            adopted.add(database.toString(), token);
        });
        adopted.print(out());
        out().println("Applications with the settings of now can be started.");
    }
}
