package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photos.tables.Tables.PHOTO;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jooq.exception.IntegrityConstraintViolationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import photos.tables.tables.records.PhotoRecord;

/** Rows of jOOQ on a real PostgreSQL server. */
class JooqTest {

    private static final int BATCHES_EACH = 5;

    private static EmbeddedPostgres server;

    private static final PGSimpleDataSource DATA_SOURCE = new PGSimpleDataSource();

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "off")
                .start();
        DATA_SOURCE.setURL(server.getJdbcUrl("postgres", "postgres"));
        DATA_SOURCE.setApplicationName("photos");
        try (InputStream schema = JooqTest.class.getResourceAsStream("/schema.sql")) {
            execute(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void emptyTable() throws SQLException {
        execute("DELETE FROM photo");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long read(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static long rows() throws SQLException {
        return read("SELECT COUNT(*) FROM photo");
    }

    @Test
    void aRecordHasTheIdOfItsRow() throws SQLException {
        try (PhotoDatabase database = new PhotoDatabase(DATA_SOURCE)) {
            PhotoRecord photo = database.upload("sunset");

            assertThat(photo.getId()).isPositive();
            assertThat(read("SELECT id FROM photo")).isEqualTo(photo.getId());
            photo.setTitle("dusk");
            photo.store();
            assertThat(rows()).as("an update").isEqualTo(1);
        }
    }

    @Test
    void returningGivesWhatTheDatabaseHasSet() {
        try (PhotoDatabase database = new PhotoDatabase(DATA_SOURCE)) {
            PhotoRecord photo = database.uploadReturning("sunset");

            assertThat(photo.getId()).isPositive();
            assertThat(photo.getUploaded()).as("the default of the column").isNotNull();
        }
    }

    @Test
    void aStatementWithoutTheIdIsRefusedByTheDatabase() {
        try (PhotoDatabase database = new PhotoDatabase(DATA_SOURCE)) {
            assertThatThrownBy(() -> database.jooq()
                            .insertInto(PHOTO)
                            .set(PHOTO.TITLE, "sunset")
                            .execute())
                    .isInstanceOf(IntegrityConstraintViolationException.class)
                    .hasMessageContaining("null value in column \"id\"");
        }
    }

    @Test
    void aThousandRowsOfOneStatementReserveTheirIdsAtOnce() throws SQLException {
        try (PhotoDatabase database = new PhotoDatabase(DATA_SOURCE)) {
            database.uploadRows("sunset", 1_000);

            assertThat(rows()).isEqualTo(1_000);
            assertThat(read("SELECT MAX(id) - MIN(id) FROM photo")).isEqualTo(999);
            assertThat(database.ids().statistics("photos").orElseThrow().waits())
                    .as("reservations that were waited for")
                    .isEqualTo(1);
        }
    }

    @Test
    void aRollbackLeavesNoRowAndItsIdIsNotGivenAgain() throws SQLException {
        try (PhotoDatabase database = new PhotoDatabase(DATA_SOURCE)) {
            PhotoRecord rolledBack = database.jooq().newRecord(PHOTO).setTitle("dusk");
            assertThatThrownBy(() -> database.jooq().transaction(transaction -> {
                        rolledBack.attach(transaction);
                        rolledBack.store();
                        throw new IllegalStateException("rolled back");
                    }))
                    .hasMessage("rolled back");

            assertThat(database.upload("dawn").getId()).isGreaterThan(rolledBack.getId());
            assertThat(rows()).isEqualTo(1);
        }
    }

    @Test
    void twoProcessesInsertFiveThousandRowsAndNoIdTwice() throws Exception {
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                processes.add(new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Dorg.jooq.no-logo=true",
                                "-Dorg.jooq.no-tips=true",
                                "-cp",
                                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                                Upload.class.getName(),
                                server.getJdbcUrl("postgres", "postgres") + "&reWriteBatchedInserts=true",
                                Integer.toString(BATCHES_EACH))
                        .inheritIO()
                        .start());
            }
            for (Process process : processes) {
                assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
                assertThat(process.exitValue()).isZero();
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }

        assertThat(rows()).isEqualTo(2L * BATCHES_EACH * Upload.BATCH);
    }

    @Test
    void nothingIsLeftWhenTheApplicationStops() throws Exception {
        try (PhotoDatabase database = new PhotoDatabase(DATA_SOURCE)) {
            database.upload("sunset", Upload.BATCH);
        }

        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (threads() + connections() > 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        assertThat(threads()).isZero();
        assertThat(connections()).isZero();
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("distributedid-"))
                .count();
    }

    private static long connections() throws SQLException {
        return read("SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'photos'");
    }
}
