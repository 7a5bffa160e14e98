package quickstart;

import java.io.InputStream;
import java.util.List;
import java.util.logging.LogManager;
import java.util.stream.Stream;

/** A photo site on two shards, run once with each backend. */
public final class Quickstart {

    private Quickstart() {}

    /** Fails unless all ids of both shards differ. */
    public static void main(String[] args) throws Exception {
        try (InputStream logging = Quickstart.class.getResourceAsStream("/logging.properties")) {
            LogManager.getLogManager().readConfiguration(logging);
        }
        try (TicketPair tickets = new TicketPair()) {
            run(tickets);
        }
        run(new SequenceTable());
        run(new Snowflake());
    }

    private static void run(Backend backend) throws Exception {
        try (Shards shards = new Shards(backend::settings)) {
            Report report = new Report(backend.name(), shards);
            List<User> users = Stream.of("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana")
                    .map(shards::signUp)
                    .toList();

            Upload upload = new Upload(shards, users, uploaded -> {
                report.say("%d of %d photos, %s", uploaded, Upload.PHOTOS, backend.state());
                if (uploaded == Upload.PHOTOS / 2) {
                    backend.halfway(report);
                }
            });
            upload.run();

            User ada = users.get(0);
            report.counts("before " + ada.name() + " moves");
            Move.move(shards, ada, 1);
            report.counts("after " + ada.name() + " moved");

            report.samples();
            report.verify();
        }
    }
}
