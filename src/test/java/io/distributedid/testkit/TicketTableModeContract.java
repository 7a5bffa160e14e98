package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A ticket table is looked at alike, whatever the server's {@code sql_mode} is and however the table is named. */
public abstract class TicketTableModeContract {

    private static final String SCHEMA = "modes";

    /** A server whose {@code sql_mode} nobody else needs meanwhile. */
    protected abstract DatabaseServer server();

    /** Modes under which the server says other things than by default. */
    protected abstract List<String> modes();

    @AfterEach
    void drop() throws SQLException {
        execute("SET GLOBAL sql_mode = DEFAULT");
        execute("DROP TABLE IF EXISTS Tickets64, tickets64, distributedid");
    }

    @Test
    void aGoodTableIsServedInEveryMode() throws SQLException {
        for (String engine : List.of("InnoDB", "MyISAM")) {
            for (String numbering : List.of("server", "client")) {
                create("Tickets64", engine);
                for (String mode : modes()) {
                    execute("SET GLOBAL sql_mode = '" + mode + "'");
                    assertThat(first("Tickets64", numbering)).as(mode).isPositive();
                    assertThat(first(SCHEMA + ".Tickets64", numbering)).as(mode).isPositive();
                }
                drop();
            }
        }
    }

    @Test
    void anEngineThatForgetsIsRefusedInEveryMode() throws SQLException {
        create("Tickets64", "MEMORY");
        for (String mode : modes()) {
            execute("SET GLOBAL sql_mode = '" + mode + "'");

            assertThatThrownBy(() -> first("Tickets64", "server"))
                    .as(mode)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A ticket table must keep its counter: table=Tickets64 on ")
                    .hasMessageEndingWith(" engine=MEMORY, allowed: InnoDB, MyISAM, Aria");
        }
    }

    @Test
    void ofTablesWhoseNamesDifferInCaseTheOneThatIsNamedIsLookedAt() throws SQLException {
        create("Tickets64", "MEMORY");
        create("tickets64", "InnoDB");

        assertThat(first("tickets64", "server")).isPositive();
        assertThatThrownBy(() -> first("Tickets64", "server")).hasMessageContaining(" engine=MEMORY");
    }

    private void create(String table, String engine) throws SQLException {
        execute("CREATE TABLE " + table
                + " (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub CHAR(1) NOT NULL DEFAULT '',"
                + " PRIMARY KEY (stub), KEY (id)) ENGINE=" + engine);
    }

    private long first(String table, String numbering) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                server().jdbcUrl(SCHEMA),
                "distributedid.ticket.table",
                table,
                "distributedid.ticket.numbering",
                numbering,
                "distributedid.create_tables",
                "true",
                "distributedid.timeout",
                "30s"));
        if (numbering.equals("client")) {
            settings.put("distributedid.ticket.increment", "1");
        }
        try (DistributedIds ids = DistributedIds.create(settings)) {
            return ids.next("photos");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server().connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
