package io.distributedid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.H2Servers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands ddl, decode and next, and unknown commands. */
class CommandsTest {

    private static final String MYSQL_LEDGER =
            "CREATE TABLE IF NOT EXISTS distributedid (name VARCHAR(160) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT"
                    + " NULL, version VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, number BIGINT NOT"
                    + " NULL, state VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, text VARCHAR(2000)"
                    + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, PRIMARY KEY (name)) ENGINE=InnoDB AS SELECT"
                    + " '@store' AS name, '1-new' AS version, 0 AS number, 'NEW' AS state, '-' AS text";

    private static final String LEDGER =
            "DO $$ BEGIN CREATE TABLE distributedid (name VARCHAR(160) COLLATE \"C\" NOT NULL, version VARCHAR(40)"
                    + " COLLATE \"C\" NOT NULL, number BIGINT NOT NULL, state VARCHAR(10) COLLATE \"C\" NOT NULL, text"
                    + " VARCHAR(2000) COLLATE \"C\" NOT NULL, PRIMARY KEY (name)); INSERT INTO distributedid SELECT"
                    + " '@store' AS name, '1-new' AS version, 0 AS number, 'NEW' AS state, '-' AS text; EXCEPTION WHEN"
                    + " duplicate_table OR unique_violation THEN NULL; END $$";

    private static final String URL = "jdbc:h2:mem:cli_ids;DB_CLOSE_DELAY=-1";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_ids");
    }

    @Test
    void ddlPrintsTheStatementsOfADatabase() {
        assertThat(Run.of("ddl", "--database=postgresql", "-Ddistributedid.backend=sequence_table"))
                .isEqualTo(new Run(
                        0,
                        "CREATE TABLE IF NOT EXISTS sequence (name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL"
                                + " DEFAULT 0);\n" + LEDGER + ";\n",
                        ""));
    }

    @Test
    void ddlKnowsTheDatabaseByTheUrls() {
        Run run = Run.of(
                "ddl",
                "-Ddistributedid.backend=ticket",
                "-Ddistributedid.ticket.servers=jdbc:mysql://t1/tickets, jdbc:mysql://t2/tickets");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .isEqualTo("CREATE TABLE IF NOT EXISTS Tickets64 (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub"
                        + " CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub), KEY (id)) ENGINE=InnoDB;\n" + MYSQL_LEDGER
                        + ";\n");
    }

    @Test
    void ddlRefusesADatabaseThatIsNotClearOrNotKnown() {
        assertThat(Run.of("ddl", "-Ddistributedid.backend=ticket"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "The SQL dialect must be clear: the settings have URLs of [], allowed: --database mysql,"
                                + " mariadb, postgresql, h2\n"));
        assertThat(Run.of("ddl", "--database=oracle", "-Ddistributedid.backend=ticket"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "There is no SQL for this database: database=oracle, allowed: mysql, mariadb,"
                                + " postgresql, h2\n"));
    }

    @Test
    void ddlSaysThatNothingIsNeeded() {
        assertThat(Run.of("ddl", "--database=h2", "-Ddistributedid.backend=snowflake"))
                .isEqualTo(new Run(0, "-- No table is needed.\n", ""));
    }

    @Test
    void decodeNeedsNoWorkerNumberAndNoServer() {
        String decoded = """
                id        382500178340355880
                time      2026-11-21T11:59:09.026Z
                worker    1
                sequence  3880
                bits      00001010100111011101001111000101011100010 0000000001 111100101000
                """;

        assertThat(Run.of("decode", "photos", "382500178340355880", "-Ddistributedid.backend=snowflake"))
                .isEqualTo(new Run(0, decoded, ""));
        assertThat(Run.of("decode", "382500178340355880", "-Ddistributedid.backend=snowflake"))
                .isEqualTo(new Run(0, decoded, ""));
        assertThat(Run.of("decode", "382500178340355880", "-Ddistributedid.seq.photos.backend=snowflake"))
                .isEqualTo(new Run(0, decoded, ""));
    }

    @Test
    void decodeWantsTheSequenceIfLayoutsDiffer() {
        assertThat(Run.of(
                        "decode",
                        "382500178340355880",
                        "-Ddistributedid.backend=snowflake",
                        "-Ddistributedid.seq.photos.snowflake.layout=data_centre_business"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "An id needs its sequence, if sequences have different layouts: ID=382500178340355880,"
                                + " allowed: SEQ ID with one of [photos]\n"));
    }

    @Test
    void decodeRefusesWhatIsNoId() {
        assertThat(Run.of("decode", "photos", "x1", "-Ddistributedid.backend=snowflake"))
                .isEqualTo(new Run(2, "", "An id must be a whole number: ID=x1, allowed: 1 to 9223372036854775807\n"));
        Run tooLarge = Run.of(
                "decode",
                "photos",
                "9223372036854775807",
                "-Ddistributedid.backend=snowflake",
                "-Ddistributedid.snowflake.layout=js53");
        assertThat(tooLarge.exitCode()).isEqualTo(2);
        assertThat(tooLarge.err()).startsWith("An id must fit its layout: id=9223372036854775807, allowed: 0 to");
        assertThat(Run.of("decode", "photos", "1", "2").err())
                .isEqualTo("Unmatched argument at index 3: '2'\nTry: distributedid decode --help\n");
        assertThat(Run.of("decode").exitCode()).isEqualTo(2);
    }

    @Test
    void decodeReadsAPaddedId() {
        String[] padded = {"decode", "photos", "0382500178340355880", "-Ddistributedid.backend=snowflake"};
        String[] plain = {"decode", "photos", "382500178340355880", "-Ddistributedid.backend=snowflake"};

        assertThat(Run.of(padded)).isEqualTo(Run.of(plain));
    }

    @Test
    void nextPrintsIds() {
        String[] settings = {
            "next",
            "photos",
            "-Ddistributedid.backend=sequence_table",
            "-Ddistributedid.create_tables=true",
            "-Ddistributedid.sequence_table.servers=" + URL,
            "--count=3"
        };

        assertThat(Run.of(settings)).isEqualTo(new Run(0, "1\n2\n3\n", ""));
        assertThat(Run.of(settings)).isEqualTo(new Run(0, "17\n18\n19\n", ""));
    }

    @Test
    void nextPutsAShardIntoIds() {
        Run run = Run.of(
                "next",
                "photos",
                "--shard=5",
                "-Ddistributedid.backend=snowflake",
                "-Ddistributedid.snowflake.layout=sharded",
                "--worker=7",
                "-Ddistributedid.shard.from=caller");

        assertThat(run.exitCode()).isZero();
        assertThat(Run.of(
                                "decode",
                                run.out().strip(),
                                "-Ddistributedid.backend=snowflake",
                                "-Ddistributedid.snowflake.layout=sharded")
                        .out())
                .contains("shard     5\n", "worker    7\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"snowflake.worker=7", "snowflake.worker=statefulset", "seq.photos.snowflake.worker=7"})
    void nextRefusesTheApplicationsWorkerNumber(String worker) {
        String set = "distributedid.snowflake.worker=" + worker.substring(worker.indexOf('=') + 1);

        assertThat(Run.of("next", "photos", "-Ddistributedid.backend=snowflake", "-Ddistributedid." + worker))
                .isEqualTo(new Run(
                        2,
                        "",
                        "The worker number in the settings is the application's, so the command would repeat the"
                                + " application's ids: " + set + " SEQ=photos, allowed: --worker=N with a number that"
                                + " no application has and no other command has now; or a leased number, for the"
                                + " application too\n"));
    }

    @Test
    void nextRefusesIdsThatHoldNoWorkerNumber() {
        assertThat(Run.of(
                        "next",
                        "photos",
                        "-Ddistributedid.backend=snowflake",
                        "-Ddistributedid.snowflake.layout=data_centre_business"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "These ids hold numbers of the application, so the command would repeat the application's ids:"
                                + " SEQ=photos, allowed: layouts with the field worker\n"));
    }

    @Test
    void nextTakesANumberOfItsOwnWithoutTheApplicationsStateFile(@TempDir Path folder) {
        Path state = folder.resolve("state");
        String[] settings = {
            "next",
            "photos",
            "-Ddistributedid.backend=snowflake",
            "-Ddistributedid.snowflake.worker=7",
            "-Ddistributedid.snowflake.state_file=" + state,
            "--worker=9"
        };

        Run run = Run.of(settings);

        // The warning is logged once in a JVM.
        assertThat(run.err().lines())
                .allMatch(line ->
                        line.startsWith("Warning: Nothing remembers until when distributedid.snowflake.worker=9 "));
        assertThat(state).doesNotExist();
        assertThat(folder).isEmptyDirectory();
        assertThat(Run.of("decode", run.out().strip(), "-Ddistributedid.backend=snowflake")
                        .out())
                .contains("worker    9\n");
        settings[5] = "--worker=7";
        assertThat(Run.of(settings).err())
                .isEqualTo("The number of a command must be its own: --worker=7 is the application's,"
                        + " distributedid.snowflake.worker=7, allowed: a number that no application has\n");
    }

    @Test
    void nextLeasesANumberAsTheApplicationDoes() {
        String[] settings = {
            "next",
            "photos",
            "-Ddistributedid.backend=snowflake",
            "-Ddistributedid.snowflake.worker=lease",
            "-Ddistributedid.snowflake.lease.server=" + URL,
            "-Ddistributedid.create_tables=true"
        };

        assertThat(Run.of(settings).exitCode()).isZero();
        assertThat(Run.of(Stream.concat(Stream.of(settings), Stream.of("--worker=9"))
                                .toArray(String[]::new))
                        .err())
                .isEqualTo("--worker may only replace a fixed worker number: --worker=9 SEQ=photos"
                        + " distributedid.snowflake.worker=lease, which is leased for this command too. Leave"
                        + " --worker out\n");
    }

    @Test
    void commandsThatTakeNoIdsTakeNoWorkerNumberEither(@TempDir Path folder) {
        String[] settings = {
            "-Ddistributedid.backend=snowflake",
            "-Ddistributedid.snowflake.worker=7",
            "-Ddistributedid.snowflake.state_file=" + folder.resolve("state")
        };
        for (String[] command : new String[][] {
            {"check"},
            {"check", "photos"},
            {"decode", "photos", "382500178340355880"},
            {"ddl", "photos", "--database=h2"},
            {"raise", "photos", "--table=photo", "--column=id", "--database=" + URL},
            {"move", "photos", "--end"},
            {"move", "photos", "--new-space", "--database=" + URL},
            {"repair", "photos"}
        }) {
            Run.of(Stream.concat(Stream.of(command), Stream.of(settings)).toArray(String[]::new));

            assertThat(folder).as(command[0]).isEmptyDirectory();
        }
    }

    @Test
    void nextSaysWhatIsWrong() {
        assertThat(Run.of("next", "photos", "--count=0"))
                .isEqualTo(new Run(2, "", "One id or more must be asked for: --count=0, allowed: 1 or more\n"));
        assertThat(Run.of("next", "photos", "--count=x"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "Invalid value for option '--count': 'x' is not a long\nTry: distributedid next --help\n"));
        assertThat(Run.of("next", "1photos", "-Ddistributedid.backend=snowflake")
                        .err())
                .startsWith(
                        "A sequence's name must be a letter, then up to 49 letters, digits, '_' or '-': seq=1photos");
    }

    @Test
    void aCommandWithoutSettingsNamesTheirOption() {
        assertThat(Run.of("next", "photos"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "No settings were given: name the application's settings file with --config FILE, or give"
                                + " single settings with -D NAME=VALUE\n"));
    }

    @Test
    void nextFailsInOneLineIfNoServerAnswers() throws SQLException {
        H2Servers dead = H2Servers.start();
        String url = dead.url("dead");
        dead.close();
        String[] settings = {
            "next",
            "photos",
            "-Ddistributedid.backend=sequence_table",
            "-Ddistributedid.sequence_table.servers=" + url,
            "-Ddistributedid.block.timeout=200ms",
        };

        Run run = Run.of(settings);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        List<String> lines = run.err().lines().toList();
        assertThat(lines)
                .first(STRING)
                .startsWith("Warning: A server is left out for now, and tried again in the background:"
                        + " server=jdbc:h2:tcp://localhost:")
                .endsWith(". Reason: Connection refused. Check that the server runs, and its host and port in"
                        + " distributedid.sequence_table.servers" + Pages.onCall("counter-silent"));
        assertThat(lines).last(STRING).startsWith("No server gives ids; jdbc:h2:tcp://localhost:");
        // One more line if it was tried again.
        assertThat(lines.subList(1, lines.size() - 1))
                .allSatisfy(warning -> assertThat(warning)
                        .startsWith("Warning: A sequence can't be opened yet, and is tried again until"
                                + " distributedid.block.timeout is over: sequence 'photos' (DistributedIds). "));
    }

    @Test
    void theVersionIsThatOfTheJar() {
        assertThat(Run.of("--version"))
                .isEqualTo(new Run(0, "distributedid unknown version: not run from its jar\n", ""));
    }

    @Test
    void whatIsNoCommandIsRefusedWithTheNearest() {
        Run unknown = Run.of("chekc");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.out()).isEmpty();
        assertThat(unknown.err())
                .startsWith("Unmatched argument at index 0: 'chekc'\nDid you mean: distributedid check")
                .endsWith("?\nTry: distributedid --help\n");
        assertThat(Run.of()).isEqualTo(new Run(2, "", "Missing required subcommand\nTry: distributedid --help\n"));
        assertThat(Run.of("check", "--sec", "photos").err())
                .startsWith("Unknown options: '--sec', 'photos'\n")
                .contains("--seq");
    }
}
