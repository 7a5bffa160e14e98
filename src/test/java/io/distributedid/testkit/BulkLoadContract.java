package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database loads a file of rows, by the statement of the page {@code recipes.md}, while others take ids. */
public abstract class BulkLoadContract {

    private static final int ROWS = 10_000;

    /** The URL of an empty database. */
    protected abstract String url() throws SQLException;

    /** Loads the file into the table {@code photo}. */
    protected abstract void load(Connection connection, Path file) throws SQLException, IOException;

    @Test
    void aFileIsLoadedWithIdsThatNobodyElseGets(@TempDir Path folder) throws IOException, SQLException {
        String url = url();
        Map<String, Object> settings = PatientSettings.of(Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", url,
                "distributedid.create_tables", "true"));
        List<String> titles = new ArrayList<>(List.of("a \"red\", wide sky", "back\\slash", "two\nlines", "Öl", "\""));
        IntStream.range(0, ROWS).mapToObj(Integer::toString).forEach(titles::add);
        Path file = folder.resolve("photos.csv");
        List<String> byOthers = new ArrayList<>();

        try (DistributedIds ids = DistributedIds.create(settings);
                DistributedIds others = DistributedIds.create(settings)) {
            byOthers.add(Long.toString(others.next("photos")));
            PhotoFile.write(file, titles, ids);
            byOthers.add(Long.toString(others.next("photos")));
        }
        try (Connection connection = DriverManager.getConnection(url)) {
            DatabaseRows.execute(url, "CREATE TABLE photo (id BIGINT PRIMARY KEY, title VARCHAR(100) NOT NULL)");
            load(connection, file);
        }

        assertThat(DatabaseRows.rows(url, "SELECT title FROM photo ORDER BY id"))
                .isEqualTo(titles);
        assertThat(DatabaseRows.rows(url, "SELECT id FROM photo")).doesNotContainAnyElementsOf(byOthers);
    }

    /** A file of the test's resources, which the page quotes. */
    protected final String statement(String name) throws IOException {
        try (InputStream file = getClass().getResourceAsStream("/bulk-load/" + name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
