package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import io.distributedid.backend.ticket.TicketServerAddition;
import io.distributedid.internal.counter.ServerAddition;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds a ticket server to the list while applications run. */
@Command(
        name = "add-server",
        description = "Add a ticket server to the list while applications run. To be run with the settings that the"
                + " applications have now; then start them, one after the other, with the new server at the end of"
                + " their list. Looks at every ticket table on every server first: all must answer, be in line, and"
                + " have room in their increment; else nothing is changed. Without room, the command prints the steps"
                + " of the shortest stop. Safe to repeat.",
        footer = {
            "",
            "The new server needs the ticket tables (distributedid ddl). Unless ticket.numbering=client, its",
            "my.cnf has the increment of the others, and an offset of its own.",
            "",
            "Example:",
            "  distributedid add-server jdbc:mysql://t3/tickets --dry-run --config ids.properties"
        })
final class AddServerCommand extends IdCommand {

    private static final String TICKET = "ticket";

    private static final String DRY_RUN = "Dry run: nothing was changed. The server can be added.";

    private static final String DONE = "The server was added. Append it to the list, and start the applications one"
            + " after the other: distributedid.ticket.servers";

    @Parameters(paramLabel = "URL", description = "The JDBC URL of the new server.")
    private String url = "";

    @Option(
            names = "--seq",
            paramLabel = "SEQ",
            split = ",",
            description = "A sequence whose ticket table gets the server. May be repeated. Default: all with settings"
                    + " of their own; without any, the table of distributedid.ticket.table.")
    private List<String> sequences = new ArrayList<>();

    @Option(names = "--dry-run", description = "Look at all tables, and print what would be done. Change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        if (!url.startsWith("jdbc:")) {
            throw new IdConfigurationException("The new server must be given by a JDBC URL: " + JdbcUrl.label(url)
                    + ", allowed: jdbc:mysql://HOST/SCHEMA");
        }
        Map<String, Object> values = options().read().readOnly().values();
        List<String> names = names(Settings.of(values));
        List<String> steps = TicketServerAddition.stepsIfFull(values, names, url);
        if (!steps.isEmpty()) {
            printSteps(steps);
            throw new IdConfigurationException("There is no room for another server, and nothing was changed: all"
                    + " numbers are given to the present servers, allowed: an increment above the number of servers."
                    + " Follow the steps above");
        }
        try (TicketServerAddition addition = TicketServerAddition.of(values, names, url)) {
            List<ServerAddition.Row> rows = addition.look();
            if (!dryRun) {
                rows = addition.add();
            }
            print(rows);
            Set<String> others = addition.others();
            if (!others.isEmpty()) {
                out().println("Not looked at, though clients use them with these servers: " + String.join(", ", others)
                        + ". Repeat the command with a sequence of each: --seq");
            }
            out().println(dryRun ? DRY_RUN : DONE);
            return 0;
        }
    }

    private void printSteps(List<String> steps) {
        out().println("The numbering must change. No id can be reserved between the stop and the start. The shortest"
                + " stop:");
        for (int step = 1; step <= steps.size(); step++) {
            out().println("  " + step + ". " + steps.get(step - 1) + ".");
        }
    }

    private List<String> names(Settings settings) {
        Set<String> names = new TreeSet<>(sequences);
        if (names.isEmpty()) {
            settings.sequences().stream()
                    .filter(each -> isTicket(settings.forSequence(each)))
                    .forEach(names::add);
        }
        for (String name : names) {
            if (!isTicket(settings.forSequence(name))) {
                throw notTickets("--seq=" + name);
            }
        }
        if (names.isEmpty()) {
            if (!isTicket(settings)) {
                throw notTickets("distributedid.backend="
                        + settings.find(CoreSettings.BACKEND).orElse(""));
            }
            // Any sequence without settings of its own: all share the table.
            names.add("SEQ");
        }
        return List.copyOf(names);
    }

    private static boolean isTicket(Settings settings) {
        return settings.find(CoreSettings.BACKEND).equals(Optional.of(TICKET));
    }

    private static IdConfigurationException notTickets(String found) {
        return new IdConfigurationException("Only ticket servers can be added while applications run: " + found
                + ", allowed: sequences with distributedid.backend=ticket. For a sequence table: distributedid move");
    }

    private void print(List<ServerAddition.Row> rows) {
        TextTable table = new TextTable("COUNTER", "SERVER", "LAST ID BEFORE", "LAST ID NOW");
        for (ServerAddition.Row row : rows) {
            table.add(
                    row.counter(),
                    row.server(),
                    Long.toString(row.before()),
                    row.now().isPresent() ? Long.toString(row.now().getAsLong()) : "not in use yet");
        }
        table.print(out());
    }
}
