package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.DatabaseProduct;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerVersionTest {

    @ParameterizedTest
    @CsvSource({
        "5.5.5-10.11.5-MariaDB-log, 10, 11, 5",
        "11.4.5-MariaDB-log, 11, 4, 5",
        "10.2.4-MariaDB-10.2.4+maria~xenial, 10, 2, 4",
        "8.0.36-28, 8, 0, 36",
        "8.0.mysql_aurora.3.05.2, 8, 0, 0",
        "5.5.5-m3, 5, 5, 5",
        "5.7.44-log, 5, 7, 44",
        "17.2 (Debian 17.2-1.pgdg120+1), 17, 2, 0",
        "18beta1, 18, 0, 0",
        "2.4.240 (2025-09-22), 2, 4, 240",
        "of a text without number, 3, 2, 0",
    })
    void itIsReadFromTheText(String text, int major, int minor, int patch) throws SQLException {
        assertThat(ServerVersion.of(server(text, 3, 2))).isEqualTo(new ServerVersion(major, minor, patch));
    }

    @Test
    void versionsAreCompared() {
        ServerVersion version = new ServerVersion(10, 2, 4);

        assertThat(version.isAtLeast(new ServerVersion(10, 2, 4))).isTrue();
        assertThat(version.isAtLeast(new ServerVersion(10, 1, 48))).isTrue();
        assertThat(version.isAtLeast(new ServerVersion(5, 5, 5))).isTrue();
        assertThat(version.isAtLeast(new ServerVersion(10, 2, 5))).isFalse();
        assertThat(version.isAtLeast(new ServerVersion(10, 6, 0))).isFalse();
        assertThat(version.isAtLeast(new ServerVersion(11, 0, 0))).isFalse();
    }

    @Test
    void mariaDbSkipsLockedRowsThroughTheDriverOfMySqlToo() throws SQLException {
        assertThat(ServerVersion.skipsLocked(server("5.5.5-10.11.5-MariaDB", 5, 5), DatabaseProduct.MARIADB))
                .isTrue();
        assertThat(ServerVersion.skipsLocked(server("5.5.5-10.5.9-MariaDB", 5, 5), DatabaseProduct.MARIADB))
                .isFalse();
    }

    /** The numbers are those that a driver would find. */
    private static Connection server(String text, int major, int minor) {
        DatabaseMetaData metaData = proxy(
                DatabaseMetaData.class,
                Map.of(
                        "getDatabaseProductVersion", text,
                        "getDatabaseMajorVersion", major,
                        "getDatabaseMinorVersion", minor));
        return proxy(Connection.class, Map.of("getMetaData", metaData));
    }

    private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.get(method.getName())));
    }
}
