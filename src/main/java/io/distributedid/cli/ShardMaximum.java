package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.existing.AutoIncrementColumns;
import io.distributedid.internal.existing.ExistingIds;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.SqlErrors;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Reads the largest id in a table of all shards, and checks whether the databases number its rows themselves. */
final class ShardMaximum {

    /** Long, since without an index on the column the whole table is read. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

    private final List<JdbcUrl> shards;

    private final String table;

    private final String column;

    ShardMaximum(List<String> urls, Properties credentials, String table, String column) {
        this.table = table;
        this.column = column;
        shards = urls.stream().map(url -> new JdbcUrl(url, credentials)).toList();
    }

    /** Returns the largest id on all shards, and prints that of each. Fails if a shard has no such table. */
    long largest(PrintWriter out) throws InterruptedException {
        TextTable found = new TextTable("SHARD", "LARGEST ID");
        long largest = 0;
        for (JdbcUrl shard : shards) {
            long id = largest(shard);
            found.add(shard.label(), Long.toString(id));
            largest = Math.max(largest, id);
        }
        found.print(out);
        return largest;
    }

    /** The results for shards whose database may still number rows itself; empty if all is well. */
    List<CheckResult> autoIncrement() throws InterruptedException {
        List<CheckResult> results = new ArrayList<>();
        for (JdbcUrl shard : shards) {
            CheckResult result = autoIncrement(shard);
            if (result.status() != CheckResult.Status.OK) {
                results.add(result);
            }
        }
        return results;
    }

    private CheckResult autoIncrement(JdbcUrl shard) throws InterruptedException {
        try (JdbcLink<?> link = borrow(shard)) {
            return AutoIncrementColumns.check(
                    link.connection(), shard.label(), AutoIncrementColumns.Place.of(table, column));
        } catch (SQLException e) {
            return CheckResult.unknown("id column", shard.label(), FailureText.of(e));
        }
    }

    /** Two results for each shard: its largest id compared with the sequence, and whether it numbers rows itself. */
    List<CheckResult> check(DistributedIds ids, String sequence) throws InterruptedException {
        List<CheckResult> results = new ArrayList<>();
        for (JdbcUrl shard : shards) {
            long largest = largest(shard);
            CheckResult compared = ids.checkAbove(sequence, largest)
                    .orElseGet(() -> CheckResult.unknown(
                            "existing ids",
                            "",
                            "id=" + largest
                                    + ". Compare it with the counters: distributedid raise SEQ --table --dry-run"));
            results.add(new CheckResult(compared.what(), shard.label(), compared.status(), compared.detail()));
            results.add(autoIncrement(shard));
        }
        return results;
    }

    private static JdbcLink<?> borrow(JdbcUrl shard) throws SQLException, InterruptedException {
        return JdbcLink.borrow(shard, EntityDatabase.TIMEOUT, ANSWER_TIMEOUT);
    }

    private long largest(JdbcUrl shard) throws InterruptedException {
        try (JdbcLink<?> link = borrow(shard)) {
            Connection connection = link.connection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT " + column + " FROM " + table + " WHERE 1 = 0");
            }
            return ExistingIds.largest(connection, table, column).orElse(0);
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                throw new IdConfigurationException(
                        "Every shard must have the table: --table=" + table + ", " + shard.label() + " said: "
                                + FailureText.of(e),
                        e);
            }
            throw new IdUnavailableException(
                    "The ids in use can't be read: --table=" + table + " --column=" + column + ", " + shard.label()
                            + " said: " + FailureText.of(e),
                    e);
        }
    }
}
