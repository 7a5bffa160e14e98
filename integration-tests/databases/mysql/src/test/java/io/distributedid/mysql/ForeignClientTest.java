package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients of another kind, which draw one id at a time by the SQL of Flickr or Yupoo, and proxies that mix up sessions.
 */
@Needs(Need.MYSQL)
class ForeignClientTest {

    private static final int MANY = 1_000;

    private static String url(int shard, String schema) {
        return MySqlServers.shard(shard).jdbcUrl(schema);
    }

    @Test
    void plainReplacesBesideNumbersOfClientsAreNoticedAtTheNextDraw() throws SQLException {
        List<String> servers = List.of(url(0, "replaces"), url(1, "replaces"));
        GivenIds given = new GivenIds();
        try (DistributedIds client = GivenIds.tickets(servers, "ticket.numbering", "client", "block.max_age", "off")) {
            given.take(client, MANY);
            long before = twoPlainTickets(servers.get(0));
            twoPlainTickets(servers.get(1));

            RuntimeException refusal = given.takeUntilRefused(client, MANY);

            assertThat(refusal)
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("an id that its server never gives: ");
            assertThat(DatabaseRows.number(servers.get(0), "SELECT id FROM Tickets64"))
                    .as("the counter is left as it is")
                    .isEqualTo(before);
            given.assertNoneTwice();
            client.admin().repair("photos", 0);
            given.take(client, MANY);
        }
        given.assertNoneTwice();
    }

    @Test
    void plainUpdatesOfADividedSequenceTableAreNoticedAtTheNextDraw() throws SQLException {
        List<String> servers = List.of(url(0, "updates"), url(1, "updates"));
        GivenIds given = new GivenIds();
        try (DistributedIds client = GivenIds.sequenceTable(servers)) {
            given.take(client, MANY);
            plainId(servers.get(0));
            plainId(servers.get(1));

            assertThat(given.takeUntilRefused(client, MANY))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("never gives");
            given.assertNoneTwice();
            client.admin().repair("photos", 0);
            given.take(client, MANY);
        }
        given.assertNoneTwice();
    }

    /**
     * The first is the client's next one, and does no harm. The lock keeps the draws that the client does in the
     * background from coming between them, after which the second would be harmless too. Returns the second.
     */
    private static long twoPlainTickets(String server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server);
                Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLES Tickets64 WRITE");
            statement.execute("REPLACE INTO Tickets64 (stub) VALUES ('a')");
            statement.execute("REPLACE INTO Tickets64 (stub) VALUES ('a')");
            long second = lastInsertId(statement);
            statement.execute("UNLOCK TABLES");
            return second;
        }
    }

    private static void plainId(String server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE sequence SET id = LAST_INSERT_ID(id + 1) WHERE name = 'photos'");
        }
    }

    private static long lastInsertId(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
            row.next();
            return row.getLong(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ticket", "sequence_table"})
    void aProxyThatSendsEachStatementOnAnotherConnectionMakesNoIdComeTwice(String backend) throws Exception {
        String server = url(0, "multiplexed_" + backend);
        GivenIds given = new GivenIds();
        RuntimeException error = null;
        try (DistributedIds direct = GivenIds.client(backend, server);
                DistributedIds proxied = GivenIds.client(backend, List.of(multiplexing(server)))) {
            for (int round = 0; round < 50 && error == null; round++) {
                given.take(direct, 20);
                error = given.tryToTake(proxied, 20);
            }
            given.take(direct, 20);
        }
        given.assertNoneTwice();
        if (backend.equals("sequence_table")) {
            assertThat(error).as("a block is one statement").isNull();
            assertThat(given.count()).isEqualTo(2_020);
        }
    }

    /** Two connections, one for every other statement; in a transaction always the same, as a proxy pins it. */
    private static DataSource multiplexing(String url) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        return multiplexed(DriverManager.getConnection(url), DriverManager.getConnection(url));
                    }
                    return switch (method.getName()) {
                        case "equals" -> proxy == arguments[0];
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "toString" -> "multiplexing";
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }

    private static Connection multiplexed(Connection... both) {
        AtomicInteger turn = new AtomicInteger();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    try {
                        if (method.getName().startsWith("set")
                                || method.getName().matches("close|abort")) {
                            method.invoke(both[1], arguments);
                            return method.invoke(both[0], arguments);
                        }
                        boolean isPinned = !both[0].getAutoCommit();
                        Connection next = both[isPinned ? 0 : turn.getAndIncrement() % 2];
                        Object result = method.invoke(next, arguments);
                        return method.getName().equals("createStatement")
                                ? multiplexed((Statement) result, turn, both)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Each statement's text goes to another connection, also if they are executed on one object. */
    private static Statement multiplexed(Statement first, AtomicInteger turn, Connection... both) throws SQLException {
        Statement[] statements = {both[0].createStatement(), both[1].createStatement()};
        Statement[] last = {first};
        return (Statement) Proxy.newProxyInstance(
                Statement.class.getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                    try {
                        if (method.getName().startsWith("execute")) {
                            boolean isPinned = !both[0].getAutoCommit();
                            last[0] = statements[isPinned ? 0 : turn.getAndIncrement() % 2];
                        }
                        return method.invoke(last[0], arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
