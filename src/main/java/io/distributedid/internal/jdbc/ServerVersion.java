package io.distributedid.internal.jdbc;

import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * The version of a database server. Read from its text: MariaDB 10 says {@code 5.5.5-10.11.5-MariaDB}, and MySQL's
 * driver takes that for 5.5.
 */
public record ServerVersion(int major, int minor, int patch) {

    /** Asks the driver. */
    public static ServerVersion of(Connection connection) throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        String text = server.getDatabaseProductVersion().replaceFirst("^5\\.5\\.5-(?=\\d)", "");
        String[] numbers = (text + "...").split("\\D", -1);
        return numbers[0].isEmpty()
                ? new ServerVersion(server.getDatabaseMajorVersion(), server.getDatabaseMinorVersion(), 0)
                : new ServerVersion(number(numbers[0]), number(numbers[1]), number(numbers[2]));
    }

    private static int number(String digits) {
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** Whether it is this version or a later one. */
    public boolean isAtLeast(ServerVersion other) {
        return Arrays.compare(new int[] {major, minor, patch}, new int[] {other.major, other.minor, other.patch}) >= 0;
    }

    /** Whether a server can skip rows that others have locked. H2 gains nothing by that: it knows no batches. */
    public static boolean skipsLocked(Connection connection, DatabaseProduct product) throws SQLException {
        return switch (product) {
            case MYSQL -> of(connection).isAtLeast(new ServerVersion(8, 0, 0));
            case MARIADB -> of(connection).isAtLeast(new ServerVersion(10, 6, 0));
            case POSTGRESQL -> true;
            case H2 -> false;
        };
    }
}
