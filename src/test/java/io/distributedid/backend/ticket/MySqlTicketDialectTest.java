package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.DatabaseProduct;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.LinkedHashMap;
import java.util.Map;
import org.h2.tools.SimpleResultSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MySqlTicketDialectTest {

    private static final Map<String, String> PLACE =
            Map.of("hostname", "t1", "port", "3306", "datadir", "/var/lib/mysql/");

    @Test
    void mySqlIsKnownByItsUuidAndPlace() throws SQLException {
        assertThat(address(DatabaseProduct.MYSQL, Map.of("server_uuid", "3f06", "server_id", "1")))
                .isEqualTo("3f06 t1 3306 /var/lib/mysql/");
    }

    @Test
    void mariaDbIsKnownByItsUidAndIdAndPlace() throws SQLException {
        assertThat(address(DatabaseProduct.MARIADB, Map.of("server_uid", "u0Nv", "server_id", "1")))
                .isEqualTo("u0Nv 1 t1 3306 /var/lib/mysql/");
    }

    @Test
    void mariaDbWithoutAUidIsKnownByItsIdAndPlace() throws SQLException {
        assertThat(address(DatabaseProduct.MARIADB, Map.of("server_id", "1"))).isEqualTo("1 t1 3306 /var/lib/mysql/");
    }

    private static String address(DatabaseProduct product, Map<String, String> more) throws SQLException {
        Map<String, String> variables = new LinkedHashMap<>(PLACE);
        variables.putAll(more);
        return new MySqlTicketDialect(product).address(server(variables));
    }

    /** Answers SHOW GLOBAL VARIABLES, and refuses a SELECT as a server does that lacks one of the variables. */
    private static Connection server(Map<String, String> variables) {
        Statement statement = proxy(Statement.class, (method, sql) -> {
            if (!method.equals("executeQuery")) {
                return null;
            }
            if (!sql.startsWith("SHOW GLOBAL VARIABLES")) {
                throw new SQLException("Unknown system variable 'server_uid'", "HY000", 1193);
            }
            return rows(sql, variables);
        });
        return proxy(Connection.class, (method, argument) -> method.equals("createStatement") ? statement : null);
    }

    private static ResultSet rows(String sql, Map<String, String> variables) {
        SimpleResultSet rows = new SimpleResultSet();
        rows.addColumn("Variable_name", Types.VARCHAR, 64, 0);
        rows.addColumn("Value", Types.VARCHAR, 2048, 0);
        variables.forEach((name, value) -> {
            if (sql.contains("'" + name + "'")) {
                rows.addRow(name, value);
            }
        });
        return rows;
    }

    /** Answers a call with one argument, or none. */
    private interface Answers {
        @Nullable
        Object to(String method, String argument) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) ->
                        answers.to(method.getName(), arguments == null ? "" : String.valueOf(arguments[0]))));
    }
}
