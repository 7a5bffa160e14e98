package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What tests of copied processes ask. */
public final class CopiedProcess {

    private CopiedProcess() {}

    /** Ids that two copies give, in turns. */
    public static List<Long> take(DistributedIds one, DistributedIds other, String sequence, int each) {
        List<Long> taken = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            taken.add(one.next(sequence));
            taken.add(other.next(sequence));
        }
        return taken;
    }

    public static int duplicates(List<Long> taken) {
        Set<Long> distinct = new HashSet<>(taken);
        return taken.size() - distinct.size();
    }

    /** One number, from a database in memory. */
    public static long number(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** None of the library's threads runs, and nobody but the asker is connected. */
    public static void assertNothingIsOpen(String url) throws SQLException {
        awaitNoThread();
        assertThat(number(url, "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS"))
                .isEqualTo(1);
    }

    /** An executor has terminated a moment before its last thread is gone. */
    public static void awaitNoThread() {
        Await.until(
                "none of the library's threads runs",
                () -> LeftBehind.threads(Set.of()).isEmpty(),
                () -> LeftBehind.threads(Set.of()));
    }
}
