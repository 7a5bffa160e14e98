package io.distributedid.internal.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a database server. Read from its text: MariaDB 10 says {@code 5.5.5-10.11.5-MariaDB}, and MySQL's
 * driver takes that for 5.5.
 */
public record ServerVersion(int major, int minor, int patch) {

    private static final Comparator<ServerVersion> ORDER = Comparator.comparingInt(ServerVersion::major)
            .thenComparingInt(ServerVersion::minor)
            .thenComparingInt(ServerVersion::patch);

    private static final Pattern TEXT = Pattern.compile("(?:5\\.5\\.5-(?=\\d))?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?.*");

    /** Asks the driver. */
    public static ServerVersion of(Connection connection) throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        Matcher text = TEXT.matcher(server.getDatabaseProductVersion());
        return text.matches()
                ? new ServerVersion(number(text, 1), number(text, 2), number(text, 3))
                : new ServerVersion(server.getDatabaseMajorVersion(), server.getDatabaseMinorVersion(), 0);
    }

    private static int number(Matcher text, int group) {
        String digits = text.group(group);
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    /** Whether it is this version or a later one. */
    public boolean isAtLeast(ServerVersion other) {
        return ORDER.compare(this, other) >= 0;
    }
}
