package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.backend.sequencetable.SequenceTableMove;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Moves a sequence table to other servers. */
@Command(
        name = "move",
        description =
                "Move a sequence table with all its sequences to other servers: more, fewer or as many. Looks at all"
                        + " servers before it changes one. Clients with the old list get no more ids. Start them with"
                        + " the new list. All servers that are not lost must answer. If the command fails, repeat it,"
                        + " or exchange the two lists to undo it.",
        footer = {
            "",
            "The password of --user is read from DISTRIBUTEDID_SEQUENCE_TABLE_PASSWORD in the environment, or",
            "from distributedid.sequence_table.password in the file of --config. Arguments can be read from a",
            "file: @FILE.",
            "",
            "Example, with the second server replaced, which is lost:",
            "  distributedid move --table sequence --from jdbc:mysql://s1/ids --from jdbc:mysql://s2/ids \\",
            "    --lost 2 --to jdbc:mysql://s1/ids --to jdbc:mysql://s3/ids --user ids"
        })
final class MoveCommand extends IdCommand {

    @Option(
            names = "--table",
            paramLabel = "NAME",
            required = true,
            description = "The table's name on all servers: TABLE or SCHEMA.TABLE.")
    private String table = "";

    @Option(
            names = "--from",
            paramLabel = "URL",
            required = true,
            description = "The JDBC URL of a server of the old list. Give the option once for each, in the order of the"
                    + " list.")
    private List<String> from = new ArrayList<>();

    @Option(
            names = "--to",
            paramLabel = "URL",
            required = true,
            description = "The JDBC URL of a server of the new list. Give the option once for each, in the order of the"
                    + " list.")
    private List<String> to = new ArrayList<>();

    @Option(
            names = "--lost",
            paramLabel = "N",
            description =
                    "The place in the old list, from 1, of a server that nobody will use again. The command does not"
                            + " connect to it. Give the option once for each.")
    private Set<Integer> lost = new TreeSet<>();

    @Option(
            names = "--max-distance",
            paramLabel = "N",
            description = "How many ids a lost server may have given that the other servers have not recorded. Default:"
                    + " distributedid.max_distance.")
    private @Nullable String maxDistance;

    @Option(names = "--user", paramLabel = "NAME", description = "The user for the servers, unless the URL names one.")
    private @Nullable String user;

    @Option(
            names = "--dry-run",
            description =
                    "Look at all servers, and print from where to where each row would be raised. Change" + " nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        Settings settings = Settings.of(options().read().values());
        Properties credentials = JdbcUrl.credentials(
                user == null
                        ? declared(settings, "distributedid.sequence_table.user")
                                .orElse(null)
                        : user,
                declared(settings, "distributedid.sequence_table.password").orElse(null));
        List<UrlDataSource> old = new ArrayList<>();
        for (int place = 1; place <= from.size(); place++) {
            String url = from.get(place - 1);
            old.add(
                    lost.contains(place)
                            ? UrlDataSource.lost(JdbcUrl.label(url))
                            : UrlDataSource.of(new JdbcUrl(url, credentials)));
        }
        List<UrlDataSource> next = to.stream()
                .map(url -> UrlDataSource.of(new JdbcUrl(url, credentials)))
                .toList();
        if (dryRun) {
            printMove(next, look(old, next, distance(settings)));
        } else {
            move(old, next, distance(settings));
            print(next);
        }
        return 0;
    }

    private Map<String, Long> look(List<UrlDataSource> old, List<UrlDataSource> next, long distance) {
        try {
            return SequenceTableMove.look(old, next, table, lost, distance);
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    FailureText.ofNeeded("All servers that are not lost", e, ". Nothing was changed: table=" + table),
                    e);
        }
    }

    private void printMove(List<UrlDataSource> next, Map<String, Long> largest) {
        TextTable moved = new TextTable("SERVER", "SEQUENCE", "LAST ID BEFORE", "LAST ID NOW");
        for (int place = 1; place <= next.size(); place++) {
            Numbering numbering = new Numbering(next.size(), place);
            UrlDataSource server = next.get(place - 1);
            Map<String, String> before = last(server);
            new TreeMap<>(largest)
                    .forEach((sequence, id) -> moved.add(
                            server.toString(),
                            sequence,
                            before.getOrDefault(sequence, "-"),
                            Long.toString(numbering.atLeast(id))));
        }
        moved.print(out());
        out().println(
                        largest.isEmpty()
                                ? "Dry run: there is nothing to move."
                                : "Dry run: nothing was changed. While clients run, the rows go on from these ids.");
    }

    /** Empty if the server has no table yet. */
    private Map<String, String> last(UrlDataSource server) {
        Map<String, String> last = new TreeMap<>();
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT name, id FROM " + table)) {
            while (row.next()) {
                last.put(row.getString(1), Long.toString(UnsignedColumn.read(row, 2)));
            }
        } catch (SQLException e) {
            if (!SqlErrors.tableIsMissing(e)) {
                throw new IdUnavailableException(
                        "A server must answer: " + server + " said: " + e.getMessage() + ". Nothing was changed", e);
            }
        }
        return last;
    }

    /** The value of a setting that a backend declares. */
    private static Optional<String> declared(Settings settings, String name) {
        return InstalledBackends.declarations().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .flatMap(settings::find)
                .map(Object::toString);
    }

    private long distance(Settings settings) {
        if (maxDistance == null) {
            return settings.get(CountingSettings.MAX_DISTANCE);
        }
        try {
            long distance = Long.parseLong(maxDistance);
            if (distance >= 1_000_000 && distance <= 1L << 60) {
                return distance;
            }
        } catch (NumberFormatException e) {
            throw new IdConfigurationException(wrongDistance(), e);
        }
        throw new IdConfigurationException(wrongDistance());
    }

    private String wrongDistance() {
        return "The distance must be that of the applications: --max-distance=" + maxDistance
                + ", allowed: 1000000 to 1152921504606846976";
    }

    private void move(List<UrlDataSource> old, List<UrlDataSource> next, long distance) {
        try {
            SequenceTableMove.move(old, next, table, lost, distance);
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The move has not ended, and clients may get no ids until it has: table=" + table + ": "
                            + e.getMessage() + ". Repeat the command"
                            + (lost.isEmpty() ? "; or take it back: exchange the servers of --from and --to" : ""),
                    e);
        }
    }

    private void print(List<UrlDataSource> servers) {
        TextTable moved = new TextTable("SERVER", "SEQUENCE", "LAST ID");
        for (UrlDataSource server : servers) {
            try (Connection connection = server.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT name, id FROM " + table + " ORDER BY name")) {
                while (row.next()) {
                    moved.add(server.toString(), row.getString(1), Long.toString(UnsignedColumn.read(row, 2)));
                }
            } catch (SQLException e) {
                moved.add(server.toString(), "-", options().secrets().masked(String.valueOf(e.getMessage())));
            }
        }
        moved.print(out());
        out().println("The table " + table + " was moved. Start the applications with the new list: "
                + "distributedid.sequence_table.servers");
    }
}
