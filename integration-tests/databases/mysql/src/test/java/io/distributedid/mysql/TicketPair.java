package io.distributedid.mysql;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** The odd and the even server, as the tests of what is refused use them. */
final class TicketPair {

    static final String SCHEMA = "bootcheck";

    private TicketPair() {}

    static String pair() {
        return MySqlServers.odd().jdbcUrl(SCHEMA) + ", " + MySqlServers.even().jdbcUrl(SCHEMA);
    }

    /** Opens a sequence and takes an id. */
    static long first(String servers, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", servers);
        try (DistributedIds ids = DistributedIds.create(settings)) {
            return ids.next("photos");
        }
    }

    static void execute(MySqlServer server, String sql) throws SQLException {
        try (Connection connection = server.connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** As a my.cnf would, for connections that are opened from now on. */
    static void number(MySqlServer server, int increment, int offset) throws SQLException {
        execute(server, "SET GLOBAL auto_increment_increment = " + increment + ", auto_increment_offset = " + offset);
    }

    static String label(MySqlServer server) {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/" + SCHEMA;
    }
}
