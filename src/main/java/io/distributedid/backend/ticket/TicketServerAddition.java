package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.ServerAddition;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Adds a ticket server to a list while clients of that list run, see {@link ServerAddition}. If the increment has no
 * room for it, says how to make room with the shortest stop. For one thread.
 */
public final class TicketServerAddition implements AutoCloseable {

    private final ServerAddition<TicketTable> addition;

    private final List<TicketTable> tables;

    private TicketServerAddition(ServerAddition<TicketTable> addition, List<TicketTable> tables) {
        this.addition = addition;
        this.tables = tables;
    }

    /**
     * The steps that make room for another server with the shortest stop; empty if there is room. Connects to the
     * servers of the present list.
     *
     * @param values settings by their full names, as the applications have them now
     * @param sequences at least one; all their tables get the new server
     * @param url of the new server
     * @throws IdConfigurationException if a server must not be used, or the sequences have different servers
     * @throws io.distributedid.IdUnavailableException if a server does not answer
     */
    public static List<String> stepsIfFull(Map<String, Object> values, List<String> sequences, String url) {
        Settings settings = ofAll(values, sequences);
        List<Object> servers = serversOf(settings);
        boolean isFull =
                ServerAddition.numberings(new TicketStore(), settings).get(0).increment() <= servers.size();
        return isFull ? stepsToRoom(settings, servers, url, sequences) : List.of();
    }

    /**
     * Prepares the addition. Does not connect to any server. There must be room, see {@link #stepsIfFull}.
     *
     * @param values settings by their full names, as the applications have them now
     * @param sequences at least one; all their tables get the new server
     * @param url of the new server, which is appended to the list
     * @throws IdConfigurationException if the sequences have different servers
     */
    public static TicketServerAddition of(Map<String, Object> values, List<String> sequences, String url) {
        Settings before = ofAll(values, sequences);
        List<Object> longer = new ArrayList<>(serversOf(before));
        longer.add(url);
        Map<String, Object> after = new HashMap<>(values);
        after.put(before.writtenAs(TicketSettings.COUNTING.servers()), longer);
        List<TicketTable> tables = sequences.stream()
                .map(each -> TicketTable.of(Settings.of(values).forSequence(each)))
                .distinct()
                .toList();
        return new TicketServerAddition(
                ServerAddition.of(new TicketStore(), Settings.of(after).forSequence(sequences.get(0)), Platform.JVM),
                tables);
    }

    /** The settings of the first sequence. All must have the same servers. */
    private static Settings ofAll(Map<String, Object> values, List<String> sequences) {
        Settings first = Settings.of(values).forSequence(sequences.get(0));
        for (String sequence : sequences) {
            Settings other = Settings.of(values).forSequence(sequence);
            if (!serversOf(other).equals(serversOf(first))) {
                throw new IdConfigurationException("A server is added to one list at a time: "
                        + first.writtenAs(TicketSettings.COUNTING.servers()) + " and "
                        + other.writtenAs(TicketSettings.COUNTING.servers())
                        + " differ. Name the sequences of one list: --seq");
            }
        }
        return first;
    }

    private static List<Object> serversOf(Settings settings) {
        return ServerSettingParser.entries(settings.given(TicketSettings.COUNTING.servers())
                .orElseThrow(() -> settings.missing(TicketSettings.COUNTING.servers(), "")));
    }

    /** Looks at all tables on all servers. Changes nothing. */
    public List<ServerAddition.Row> look() {
        return addition.look(tables);
    }

    /** Claimed tables of the servers that {@link #look} did not look at. */
    public Set<String> others() {
        return addition.others();
    }

    /** Adds the server to all tables that are in use. Call {@link #look} first. */
    public List<ServerAddition.Row> add() {
        return addition.add();
    }

    private static List<String> stepsToRoom(
            Settings settings, List<Object> servers, String url, List<String> sequences) {
        List<String> labels = new ArrayList<>();
        servers.forEach(server -> labels.add(JdbcUrl.label(server.toString())));
        labels.add(JdbcUrl.label(url));
        long increment = Math.max(TicketSettings.ADVISED_INCREMENT, labels.size());
        OptionalLong byClient = TicketSettings.incrementOfClients(settings, servers.size());
        List<String> steps = new ArrayList<>();
        String list = settings.writtenAs(TicketSettings.COUNTING.servers()) + "=" + String.join(", ", labels);
        steps.add("Create the ticket tables on " + labels.get(servers.size()) + ", see: distributedid ddl");
        if (byClient.isPresent()) {
            steps.add("Prepare new settings for all applications: " + list + " and "
                    + settings.writtenAs(TicketSettings.INCREMENT) + "=" + increment);
            steps.add("Stop all applications");
        } else {
            steps.add("Write into my.cnf "
                    + each(
                            labels,
                            place -> "of " + labels.get(place) + ": auto_increment_increment=" + increment
                                    + " auto_increment_offset=" + (place + 1))
                    + "; restart the last one only");
            steps.add("Prepare new settings for all applications: " + list);
            steps.add("Stop all applications");
            steps.add("Run "
                    + each(
                            labels.subList(0, servers.size()),
                            place -> "on " + labels.get(place)
                                    + ": SET GLOBAL auto_increment_increment=" + increment + ", auto_increment_offset="
                                    + (place + 1)));
        }
        steps.add("Run with the new settings, once for each ticket table: distributedid repair " + sequences.get(0));
        steps.add("Start all applications with the new settings");
        return steps;
    }

    private static String each(List<String> labels, Function<Integer, String> text) {
        List<String> all = new ArrayList<>();
        for (int place = 0; place < labels.size(); place++) {
            all.add(text.apply(place));
        }
        return String.join(", ", all);
    }

    @Override
    public void close() {
        addition.close();
    }
}
