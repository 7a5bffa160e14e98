package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.existing.AutoIncrementColumns;
import io.distributedid.internal.existing.ExistingIds;
import io.distributedid.internal.jdbc.DedicatedConnection.Work;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.SqlErrors;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** A column of ids in all databases of the entities. */
final class IdColumn extends DatabaseOptions {

    /** Long, since without an index on the column the whole table is read. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

    @Option(
            names = "--table",
            paramLabel = "NAME",
            required = true,
            description = "A table with ids of the sequence, as in SQL, in each database.")
    String table = "";

    @Option(names = "--column", paramLabel = "NAME", required = true, description = "Its column of ids, as in SQL.")
    private String column = "";

    @Override
    List<JdbcUrl> databases(CommandSettings settings) {
        List<JdbcUrl> databases = super.databases(settings);
        if (databases.isEmpty()) {
            throw new IdConfigurationException("A table needs its databases: --table=" + table
                    + ", allowed: with --database URL for each of" + " them");
        }
        return databases;
    }

    /** Returns the largest id in all databases, and prints that of each. Fails if one has no such table. */
    long largest(CommandSettings settings, PrintWriter out) {
        TextTable found = new TextTable("DATABASE", "LARGEST ID");
        long largest = 0;
        for (JdbcUrl database : databases(settings)) {
            long id = largest(database);
            found.add(database.label(), Long.toString(id));
            largest = Math.max(largest, id);
        }
        out.println(found);
        out.println();
        return largest;
    }

    /** Two results for each database: its largest id compared with the sequence, and whether it numbers rows itself. */
    List<CheckResult> check(CommandSettings settings, DistributedIds ids, String sequence) {
        List<CheckResult> results = new ArrayList<>();
        for (JdbcUrl database : databases(settings)) {
            long largest = largest(database);
            CheckResult compared = ids.admin()
                    .checkAbove(sequence, largest)
                    .orElseGet(() -> CheckResult.unknown(
                            "existing ids",
                            "",
                            "id=" + largest
                                    + ". Compare it with the counters: distributedid raise SEQ --table --dry-run"));
            results.add(new CheckResult(
                    compared.what(), database.label(), compared.status(), compared.detail(), compared.lastId()));
            results.add(autoIncrement(database));
        }
        return results;
    }

    /** A result for each database: whether it may still number rows itself. */
    List<CheckResult> autoIncrement(CommandSettings settings) {
        return databases(settings).stream().map(this::autoIncrement).toList();
    }

    private CheckResult autoIncrement(JdbcUrl database) {
        return call(database, connection -> {
            try {
                return AutoIncrementColumns.check(
                        connection, database.label(), AutoIncrementColumns.Place.of(table, column));
            } catch (SQLException e) {
                return CheckResult.unknown("id column", database.label(), FailureText.of(e));
            }
        });
    }

    private long largest(JdbcUrl database) {
        return call(database, connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT " + column + " FROM " + table + " WHERE 1 = 0");
            } catch (SQLException e) {
                if (SqlErrors.tableIsMissing(e)) {
                    throw new IdConfigurationException(
                            "Every database must have the table: --table=" + table + ", " + database.label() + " said: "
                                    + FailureText.of(e),
                            e);
                }
                throw e;
            }
            return ExistingIds.largest(connection, table, column).orElse(0);
        });
    }

    private <T> T call(JdbcUrl database, Work<Connection, T> work) {
        String failed = "The ids in use can't be read: --table=" + table + " --column=" + column + ", ";
        return EntityDatabase.call(database, failed, ANSWER_TIMEOUT, work);
    }
}
