package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A property is left out if the driver finds it in the URL, and only then. */
class JdbcUrlTest {

    private static final String HOST = "jdbc-url-test";

    private final RefusingDriver driver = new RefusingDriver(url -> url.contains(HOST));

    @BeforeEach
    void register() throws SQLException {
        DriverManager.registerDriver(driver);
    }

    @AfterEach
    void deregister() throws SQLException {
        DriverManager.deregisterDriver(driver);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://me:secret@jdbc-url-test/ids",
                "jdbc:mysql://me@jdbc-url-test/ids",
                "jdbc:mysql://me:secret@jdbc-url-test,t2/ids",
                "jdbc:mysql://me:secret@[jdbc-url-test,(host=t2,port=3307)]/ids",
                "jdbc:mysql:replication://me:secret@jdbc-url-test,t2/ids",
                "jdbc:mysql+srv://me:secret@jdbc-url-test/ids",
                "jdbc:mysql://jdbc-url-test/ids?user=me@corp",
            })
    void aUserInTheUrlLeavesTheOtherPropertiesAsTheyAre(String url) {
        Properties given = connect(url, Map.of("sslMode", "VERIFY_IDENTITY", "trustCertificateKeyStoreUrl", "file:t"));

        assertThat(given)
                .containsEntry("sslMode", "VERIFY_IDENTITY")
                .containsEntry("trustCertificateKeyStoreUrl", "file:t")
                .containsEntry("allowMultiQueries", "true")
                .containsEntry("connectTimeout", "7000")
                .containsEntry("socketTimeout", "7000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "jdbc:mysql://jdbc-url-test/ids?sslMode=DISABLED | sslMode",
                "jdbc:mysql://jdbc-url-test/ids?a=b& sslMode = DISABLED#c | sslMode",
                "jdbc:mysql://jdbc-url-test?ssl%4Dode=DISABLED | sslMode",
                "jdbc:mysql://me:secret@jdbc-url-test/ids?sslMode=DISABLED | sslMode",
                "jdbc:mysql://jdbc-url-test/ids?USER=me&Password=secret | user",
                "jdbc:mysql://jdbc-url-test/ids?USER=me&Password=secret | password",
                "jdbc:mysql://jdbc-url-test/ids?connectTimeout=0 | connectTimeout",
                "jdbc:mysql://jdbc-url-test/ids?allowMultiQueries=false | allowMultiQueries",
                "jdbc:mariadb://jdbc-url-test/ids?SSLMODE=disable | sslMode",
                "jdbc:mariadb://jdbc-url-test/ids?allowMultiQueries | allowMultiQueries",
                "jdbc:postgresql://jdbc-url-test/ids?a=b&user=me | user",
                "jdbc:postgresql:jdbc-url-test?ssl | ssl",
                "jdbc:other:jdbc-url-test;A=b;User=me | user",
                "jdbc:other://me:secret@jdbc-url-test/ids | user",
                "jdbc:other://me:secret@jdbc-url-test/ids | password",
            })
    void whatTheUrlSetsIsLeftOut(String url, String property) {
        assertThat(connect(url, Map.of(property, "ours"))).doesNotContainKey(property);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "jdbc:mysql://jdbc-url-test/ids?SSLMODE=DISABLED | sslMode",
                "jdbc:mysql://jdbc-url-test/ids?sslMode | sslMode",
                "jdbc:mysql://jdbc-url-test/ids?a=b;sslMode=DISABLED | sslMode",
                "jdbc:mysql://jdbc-url-test/ids?a=b,sslMode=DISABLED | sslMode",
                "jdbc:mysql://jdbc-url-test/ids?sessionVariables=(sslMode=1 | sslMode",
                "jdbc:mysql://jdbc-url-test/ids?a=b#&sslMode=DISABLED | sslMode",
                "jdbc:mysql://jdbc-url-test/ids?a=b%26sslMode=DISABLED | sslMode",
                "jdbc:mysql://jdbc-url-test/ids?a=%&b=c | sslMode",
                "jdbc:mysql://(host=jdbc-url-test),(host=t2,sslMode=DISABLED)/ids | sslMode",
                "jdbc:mysql://address=(host=jdbc-url-test),address=(host=t2)(sslMode=DISABLED)/ids | sslMode",
                "jdbc:mysql://me@jdbc-url-test/ids | password",
                "jdbc:mysql://me:secret@jdbc-url-test,t2/ids | user",
                "jdbc:mariadb://jdbc-url-test/ids?ssl%4Dode=disable | sslMode",
                "jdbc:mariadb://jdbc-url-test/ids? sslMode=disable | sslMode",
                "jdbc:postgresql://jdbc-url-test/ids?SSLMODE=disable | sslmode",
                "jdbc:postgresql://jdbc-url-test/ids?us%65r=me | user",
                "jdbc:postgresql://jdbc-url-test/ids?a=b;user=me | user",
                "jdbc:other://me@jdbc-url-test/ids | password",
                "jdbc:other://me:secret@jdbc-url-test/ids | sslMode",
            })
    void whatTheDriverDoesNotFindInTheUrlIsGiven(String url, String property) {
        assertThat(connect(url, Map.of(property, "ours"))).containsEntry(property, "ours");
    }

    /** H2 refuses a property that differs from the one in the URL. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "jdbc:h2:mem:;User=me | ME",
                "jdbc:h2:mem:;INIT=SET @A = 1\\;SET @B = 2;user=me | ME",
                "jdbc:h2:mem:;INIT=SET @A = '\\;user=me' | OURS",
                "jdbc:h2:mem:jdbc-url-test?user=me | OURS",
            })
    void h2IsGivenAUserUnlessTheUrlHasOne(String url, String user) throws SQLException {
        try (Connection connection = new JdbcUrl(url, JdbcUrl.credentials("ours", "")).obtain()) {
            assertThat(connection.getMetaData().getUserName()).isEqualTo(user);
        }
    }

    @Test
    void timeoutsAreOursUnlessTheyAreSet() {
        assertThat(connect("jdbc:mysql://jdbc-url-test/ids?a=xsocketTimeout=1", Map.of("connectTimeout", "5")))
                .containsEntry("connectTimeout", "5")
                .containsEntry("socketTimeout", "7000");
        assertThat(connect("jdbc:mariadb://jdbc-url-test/ids?SocketTimeout=1", Map.of("CONNECTTIMEOUT", "5")))
                .containsEntry("CONNECTTIMEOUT", "5")
                .doesNotContainKeys("connectTimeout", "socketTimeout");
        assertThat(connect("jdbc:postgresql://jdbc-url-test/ids?CONNECTTIMEOUT=1", Map.of()))
                .containsEntry("connectTimeout", "7")
                .containsEntry("socketTimeout", "7");
    }

    private Properties connect(String url, Map<String, String> properties) {
        Properties given = new Properties();
        given.putAll(properties);
        JdbcUrl database = new JdbcUrl(url, given);
        assertThatThrownBy(() -> database.obtain(Duration.ofSeconds(7))).hasMessage("refused");
        return driver.given();
    }
}
