package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A sequence table, the ledger beside it, or both lose what they held on a real server: what is noticed, and what
 * follows. No id is given twice, whoever runs on or starts.
 */
public abstract class NoticedLossContract {

    private static final int SOME = 100;

    /** What somebody does with the first server, whose tables were copied after {@link #SOME} ids. */
    private enum Loss {
        COUNTER_DELETED("DELETE FROM sequence"),
        COUNTER_TRUNCATED("TRUNCATE TABLE sequence"),
        COUNTER_SET_BACK("UPDATE sequence SET id = id - 50"),
        COUNTER_RESTORED("DELETE FROM sequence", "INSERT INTO sequence SELECT * FROM old_sequence"),
        BOTH_EMPTIED("DELETE FROM sequence", "DELETE FROM distributedid"),
        BOTH_RESTORED(
                "DELETE FROM sequence",
                "DELETE FROM distributedid",
                "INSERT INTO distributedid SELECT * FROM old_distributedid",
                "INSERT INTO sequence SELECT * FROM old_sequence"),
        LEDGER_EMPTIED("DELETE FROM distributedid");

        private final List<String> statements;

        Loss(String... statements) {
            this.statements = List.of(statements);
        }
    }

    private enum Client {
        /** On one server. It started after the loss, and the application's database remembers no token. */
        NEW,
        /** As before, but the application's database remembers one. */
        NEW_WITH_TOKEN,
        /** On one server, since before the loss. */
        RUNNING,
        /** On two servers, after the loss. */
        NEW_OF_PAIR,
        /** On two servers, since before the loss. */
        RUNNING_OF_PAIR;

        private boolean isPair() {
            return this == NEW_OF_PAIR || this == RUNNING_OF_PAIR;
        }

        private boolean isRunning() {
            return this == RUNNING || this == RUNNING_OF_PAIR;
        }
    }

    private enum Outcome {
        /** With the command. */
        REFUSED,
        /** The ids go on, without one that was given. */
        GIVEN
    }

    private final List<String> urls = new ArrayList<>();

    private final GivenIds given = new GivenIds();

    private String test = "";

    /** An empty database or schema of one of two servers, 0 or 1. */
    protected abstract String url(int server, String schema) throws SQLException;

    /** Whether the application's database remembers another token than the ledger has now. */
    private static boolean isMoved(Loss loss, Client client) {
        return client == Client.NEW_WITH_TOKEN && (loss == Loss.BOTH_EMPTIED || loss == Loss.LEDGER_EMPTIED);
    }

    /**
     * Each loss once as a running process sees it, and each client once. The simulation has all of both.
     *
     * <p>A process that starts is refused if a server has lost the row that describes the table; one that runs goes on.
     */
    @ParameterizedTest
    @CsvSource({
        "COUNTER_DELETED, RUNNING, REFUSED",
        "COUNTER_TRUNCATED, NEW, REFUSED",
        "COUNTER_SET_BACK, RUNNING, REFUSED",
        "COUNTER_RESTORED, NEW, REFUSED",
        "COUNTER_RESTORED, RUNNING_OF_PAIR, GIVEN",
        "BOTH_EMPTIED, RUNNING, REFUSED",
        "BOTH_EMPTIED, NEW_WITH_TOKEN, REFUSED",
        "BOTH_EMPTIED, RUNNING_OF_PAIR, GIVEN",
        "BOTH_RESTORED, RUNNING, REFUSED",
        "BOTH_RESTORED, NEW_OF_PAIR, GIVEN",
        "LEDGER_EMPTIED, NEW, GIVEN",
        "LEDGER_EMPTIED, RUNNING, REFUSED"
    })
    void noIdIsGivenTwice(Loss loss, Client client, Outcome expected) throws SQLException {
        test = (loss + "_" + client).toLowerCase(Locale.ROOT);
        for (int server = 0; server < (client.isPair() ? 2 : 1); server++) {
            urls.add(url(server, test));
        }
        DistributedIds ids = open(client);
        given.take(ids, SOME);
        DatabaseRows.execute(
                urls.get(0),
                "CREATE TABLE old_sequence AS SELECT * FROM sequence",
                "CREATE TABLE old_distributedid AS SELECT * FROM distributedid");
        given.take(ids, SOME);
        if (!client.isRunning()) {
            ids.close();
        }
        DatabaseRows.execute(urls.get(0), loss.statements.toArray(String[]::new));

        if (!client.isRunning()) {
            ids = open(client);
        }
        if (expected == Outcome.REFUSED) {
            RuntimeException refusal = given.takeUntilRefused(ids, SOME);
            given.assertNoneTwice();
            assertThat(refusal)
                    .hasMessageContaining(isMoved(loss, client) ? "a different place" : "distributedid repair photos");
        }
        if (!isMoved(loss, client)) {
            given.take(ids, expected == Outcome.GIVEN ? SOME : 0);
            given.assertNoneTwice();
            ids.admin().repair("photos", given.highest());
            ids.close();
            ids = open(client);
            given.take(ids, SOME);
        }
        ids.close();
        given.assertNoneTwice();
    }

    private DistributedIds open(Client client) throws SQLException {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", "sequence_table");
        settings.put("distributedid.sequence_table.servers", String.join(", ", urls));
        settings.put("distributedid.create_tables", true);
        settings.put("distributedid.block.min", 10);
        settings.put("distributedid.block.max", 10);
        settings.put("distributedid.block.timeout", "3s");
        settings.put("distributedid.timeout", "1m");
        DistributedIds.Builder builder = DistributedIds.builder().settings(settings);
        return client == Client.NEW_WITH_TOKEN
                ? builder.applicationDatabase(new ApplicationDatabase(url(0, test + "_app")))
                        .build()
                : builder.build();
    }

    private record ApplicationDatabase(String url) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return DriverManager.getConnection(url);
        }

        @Override
        public String label() {
            return "app";
        }
    }
}
