package io.distributedid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.H2Servers;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsOptionsTest {

    private static final File PROGRAM = new File(URI.create(
            Main.class.getProtectionDomain().getCodeSource().getLocation().toString()));

    private static final String ID = "382500178340355880";

    @TempDir
    Path folder;

    @Test
    void aPropertiesFileHoldsSettingsByTheirFullNames() throws IOException {
        Path file = write("ids.properties", """
                # of somebody else
                server.port = 80
                distributedid.backend = snowflake
                distributedid.snowflake.layout = snowflake
                """);

        assertThat(Run.of("decode", ID, "--config", file.toString()).out()).contains("worker    1\n");
        assertThat(Run.of(
                                "-c",
                                file.toString(),
                                "decode",
                                ID,
                                "-D",
                                "distributedid.snowflake.layout=data_centre_business")
                        .out())
                .contains("data_centre  0\n");
    }

    @Test
    void aPlainPropertiesFileHasTheNamesOfEverywhereAndNoPlaceholders() throws IOException {
        Path names = write("ids.properties", """
                server.port = ${PORT}
                distributedid.backend = snowflake
                distributedid.snowflake.max-ahead = 20ms
                """);
        Path placeholder = write("placeholder.properties", """
                distributedid.backend = snowflake
                distributedid.snowflake.layout = ${LAYOUT}
                """);

        assertThat(Run.of("decode", ID, "--config", names.toString()))
                .isEqualTo(new Run(
                        2,
                        "",
                        "There is no such setting: distributedid.snowflake.max-ahead. Did you mean"
                                + " distributedid.snowflake.max_ahead?\n"));
        assertThat(Run.with(Map.of("LAYOUT", "snowflake"), "decode", ID, "--config", placeholder.toString())
                        .err())
                .contains("The placeholder ${LAYOUT} was not resolved. Define it, or write the value itself");
    }

    @Test
    void soDoesAPersistenceUnit() throws IOException {
        Path file = write("persistence.xml", persistence(""));

        assertThat(Run.of("decode", ID, "-c", file.toString(), "--unit=app").out())
                .contains("worker    1\n");
        assertThat(Run.of("decode", ID, "-c", file.toString()).err())
                .isEqualTo("A persistence unit must be one of the file's: --unit= --config=" + file
                        + ", allowed: [app, other]\n");
        assertThat(Run.of("decode", ID, "-c", file.toString(), "--unit=apps"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "A persistence unit must be one of the file's: --unit=apps --config=" + file
                                + ", allowed: [app, other]\n"));
    }

    @Test
    void nothingFromOutsideIsReadWithXml() throws IOException {
        Path outside = write("outside.txt", "snowflake");
        Path file = write(
                "persistence.xml",
                persistence("<!DOCTYPE persistence [<!ENTITY x SYSTEM \"" + outside.toUri() + "\">]>"));

        Run run = Run.of("decode", ID, "-c", file.toString(), "--unit=app");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("A file of settings can't be read: --config=" + file)
                .contains("DOCTYPE");
    }

    @Test
    void aFileThatCannotBeReadIsNamed() throws IOException {
        Path broken = write("broken.xml", "<persistence>");
        Path missing = folder.resolve("missing.properties");

        assertThat(Run.of("decode", ID, "-c", missing.toString()))
                .isEqualTo(new Run(2, "", "There is no such file: --config=" + missing + "\n"));
        assertThat(Run.of("decode", ID, "-c", broken.toString()).err())
                .startsWith("A file of settings can't be read: --config=" + broken);
        assertThat(Run.of("decode", ID, "-c", write("a.properties", "").toString(), "--unit=app")
                        .err())
                .startsWith("Only a persistence.xml has persistence units: --unit=app");
        assertThat(Run.of("decode", ID, "--unit=app").err()).startsWith("A persistence unit needs a file: --unit=app");
    }

    @Test
    void aSettingIsGivenByItsFullName() {
        assertThat(Run.of("decode", ID, "-Dbackend=snowflake"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "A setting must have its full name: -D backend, allowed: distributedid.NAME, or those of the"
                                + " persistence unit's own database\n"));
    }

    @Test
    void aPasswordMustNotStandOnTheCommandLine() {
        assertThat(Run.of("decode", ID, "-Ddistributedid.ticket.password=top-secret"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "A password must not be on the command line, where others can read it: -D"
                                + " distributedid.ticket.password, allowed: in the file of --config, or in the"
                                + " environment: DISTRIBUTEDID_TICKET_PASSWORD\n"));
    }

    @Test
    void itComesFromTheFileOrTheEnvironmentAndIsNotPrinted() throws Exception {
        String url = "jdbc:h2:mem:cli_secret;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE USER ids PASSWORD 'top-secret' ADMIN");
        }
        try {
            Path file = write("ids.properties", """
                    distributedid.backend = sequence_table
                    distributedid.sequence_table.servers = %s
                    distributedid.sequence_table.user = ids
                    distributedid.sequence_table.password = not-so-secret
                    distributedid.create_tables = true
                    """.formatted(url));
            String[] next = {"next", "photos", "-c", file.toString(), "--verbose"};

            Run wrong = Run.of(next);
            Run right = Run.with(Map.of("DISTRIBUTEDID_SEQUENCE_TABLE_PASSWORD", "top-secret"), next);

            assertThat(wrong.exitCode()).isEqualTo(1);
            assertThat(wrong.err())
                    .contains("jdbc:h2:mem:cli_secret said: Wrong user name or password", "  because: org.h2.jdbc.")
                    .doesNotContain("secret;", "-secret", "\tat ");
            assertThat(right).isEqualTo(new Run(0, "1\n", ""));
        } finally {
            dropSecret();
        }
    }

    /** Its first user has no password. */
    private static void dropSecret() throws SQLException {
        H2Servers.drop("cli_secret");
    }

    @Test
    void theErrorThatMissesADriverSaysHowToStartTheProgram() {
        assertThat(Run.of(
                        "next",
                        "photos",
                        "-Ddistributedid.backend=ticket",
                        "-Ddistributedid.ticket.servers=jdbc:none://t1/x"))
                .isEqualTo(new Run(
                        2,
                        "",
                        "No JDBC driver accepts the URL: url=jdbc:none://t1/x. Add its driver to the class path: put"
                                + " its jar into the folder lib, and start the command as java -cp \"" + PROGRAM
                                + File.pathSeparator
                                + "lib/*\" io.distributedid.cli.Main\n"));
    }

    @Test
    void soDoesThatOfThePersistenceUnitsOwnDatabase() throws IOException {
        Path file = write("ids.properties", """
                distributedid.backend = sequence_table
                jakarta.persistence.jdbc.url = jdbc:none://t1/app
                """);

        Run run = Run.of("next", "photos", "--config", file.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("url=jdbc:none://t1/app. Add its driver to the class path: put its jar into ");
    }

    @Test
    void aReportSaysTooHowToAddADriver() {
        Run run = Run.of(
                "check",
                "--seq=photos",
                "-Ddistributedid.backend=sequence_table",
                "-Ddistributedid.sequence_table.servers=jdbc:none://t1/app");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains(
                        "url=jdbc:none://t1/app. Add its driver to the class path: put its jar into the folder lib, and"
                                + " start the command as java -cp \"" + PROGRAM + File.pathSeparator
                                + "lib/*\" io.distributedid.cli.Main\n");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static String persistence(String doctype) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                %s
                <persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.1">
                  <persistence-unit name="app">
                    <properties>
                      <property name="distributedid.backend" value="snowflake"/>
                      <property name="hibernate.show_sql" value="true"/>
                    </properties>
                  </persistence-unit>
                  <persistence-unit name="other"/>
                </persistence>
                """.formatted(doctype);
    }
}
