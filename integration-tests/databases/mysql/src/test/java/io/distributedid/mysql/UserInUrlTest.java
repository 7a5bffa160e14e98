package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver prefers a user in the URL to ours, and keeps the other properties. */
@Needs(Need.MYSQL)
class UserInUrlTest {

    private static final MySqlServer SERVER = MySqlServers.odd();

    @BeforeAll
    static void createUser() throws SQLException {
        TicketPair.execute(SERVER, "CREATE USER in_url IDENTIFIED WITH mysql_native_password BY 'secret'");
    }

    @AfterAll
    static void dropUser() throws SQLException {
        TicketPair.execute(SERVER, "DROP USER in_url");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://in_url:secret@127.0.0.1:PORT/",
                "jdbc:mysql://(host=127.0.0.1,port=PORT,user=in_url,password=secret)/",
                "jdbc:mysql://address=(host=127.0.0.1)(port=PORT)(user=in_url)(password=secret)/",
                "jdbc:mysql://in_url:secret@[127.0.0.1:1,127.0.0.1:PORT]/",
                "jdbc:mysql://127.0.0.1:PORT/?USER=in_url&pass%77ord=secret",
            })
    void itConnectsAndStatementsShareTrips(String url) throws SQLException {
        assertThat(user(url, "nobody", "wrong")).startsWith("in_url@");
    }

    @Test
    void withoutAPasswordOursIsUsed() throws SQLException {
        assertThat(user("jdbc:mysql://in_url@127.0.0.1:PORT/", "nobody", "secret"))
                .startsWith("in_url@");
    }

    private static String user(String url, String user, String password) throws SQLException {
        Properties properties = JdbcUrl.credentials(user, password);
        properties.setProperty("sslMode", "DISABLED");
        JdbcUrl database = new JdbcUrl(url.replace("PORT", String.valueOf(SERVER.port())), properties);
        try (Connection connection = database.obtain();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT CURRENT_USER(); DO 0")) {
            row.next();
            return row.getString(1);
        }
    }
}
